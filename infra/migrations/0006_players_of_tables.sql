-- Who sits at a table that is not over, so that a player's tables can be found.
-- Tables of before are found once the read models are rebuilt.
ALTER TABLE misere.lobby ADD COLUMN players uuid[] NOT NULL DEFAULT '{}';
CREATE INDEX lobby_by_player ON misere.lobby USING gin (players)
  WHERE players <> '{}';
