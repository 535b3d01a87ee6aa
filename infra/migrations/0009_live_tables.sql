-- A host's tables that are not over, public or private, so that they can be counted.
CREATE INDEX lobby_live_by_host ON misere.lobby (generation, host)
  WHERE status IN ('open', 'playing');
