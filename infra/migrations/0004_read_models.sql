-- What projections derive from the log. All of it can be thrown away and rebuilt: a
-- rebuild fills a new generation beside the old, then `projection` is switched to it.

CREATE TABLE misere.projection (
  name text PRIMARY KEY,
  generation int NOT NULL
);

-- How far each generation has followed each shard.
CREATE TABLE misere.checkpoint (
  projection text NOT NULL REFERENCES misere.projection (name),
  generation int NOT NULL,
  shard smallint NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (projection, generation, shard)
);

INSERT INTO misere.projection VALUES ('tables', 1);
INSERT INTO misere.checkpoint SELECT 'tables', 1, g, 0 FROM generate_series(0, 15) g;

-- Every table at a glance. Most appends rewrite a row without touching an indexed
-- column: room in the page keeps those rewrites out of the indexes.
CREATE TABLE misere.lobby (
  shard smallint NOT NULL,
  table_id uuid NOT NULL,
  generation int NOT NULL,
  version bigint NOT NULL,
  game text NOT NULL,
  status text NOT NULL,
  visibility text NOT NULL,
  host uuid,
  created_at timestamptz NOT NULL,
  seats int NOT NULL,
  free_seats int NOT NULL,
  rated boolean NOT NULL,
  rematch_of uuid,
  facts bytea NOT NULL,
  PRIMARY KEY (shard, table_id, generation)
) WITH (fillfactor = 70);

-- The lists, newest first; private tables are in none of them.
CREATE INDEX lobby_newest ON misere.lobby (generation, created_at, table_id)
  WHERE visibility = 'public';
CREATE INDEX lobby_by_status ON misere.lobby (generation, status, created_at, table_id)
  WHERE visibility = 'public';
CREATE INDEX lobby_by_game ON misere.lobby (generation, game, created_at, table_id)
  WHERE visibility = 'public';
CREATE INDEX lobby_in_play ON misere.lobby (generation, table_id)
  WHERE status = 'playing';
CREATE INDEX lobby_by_host ON misere.lobby (generation, host, created_at, table_id)
  WHERE visibility = 'public';

-- Whose turn it is, everywhere.
CREATE TABLE misere.open_decision (
  shard smallint NOT NULL,
  table_id uuid NOT NULL,
  generation int NOT NULL,
  seat smallint NOT NULL,
  player uuid NOT NULL,
  version bigint NOT NULL,
  kind text NOT NULL,
  PRIMARY KEY (shard, table_id, generation, seat)
);
CREATE INDEX open_decision_by_player
  ON misere.open_decision (generation, player, table_id, seat);
