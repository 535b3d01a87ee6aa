-- Whose time is up, and which tables are left alone.
ALTER TABLE misere.lobby
  ADD COLUMN last_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ADD COLUMN due_at timestamptz,
  ADD COLUMN clocked boolean NOT NULL DEFAULT false;
CREATE INDEX lobby_due ON misere.lobby (generation, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX lobby_open ON misere.lobby (generation, table_id) WHERE status = 'open';

-- Which process keeps the time of all tables, and when it was last there.
CREATE TABLE misere.timekeeper (
  name text PRIMARY KEY,
  holder uuid,
  seen_at timestamptz NOT NULL
);
INSERT INTO misere.timekeeper VALUES ('tables', NULL, clock_timestamp());

-- The times in which none was there, until what ran meanwhile is given back.
CREATE TABLE misere.outage (
  since timestamptz PRIMARY KEY,
  until timestamptz NOT NULL
);
