-- What finished matches of public tables leave: results, and standings in each game.
-- Matches of before are in them once the read models are rebuilt.

-- How a match went for a player. `mean` and `deviation` are the player's rating after
-- it, null where the match moves none, and where it waits to be rated: then all later
-- rated matches of the game wait too, whatever their shards.
CREATE TABLE misere.result (
  shard smallint NOT NULL,
  table_id uuid NOT NULL,
  generation int NOT NULL,
  player uuid NOT NULL,
  game text NOT NULL,
  ended_at timestamptz NOT NULL,
  seats int NOT NULL,
  seat smallint NOT NULL,
  score int NOT NULL,
  place smallint NOT NULL,
  won boolean NOT NULL,
  shared boolean NOT NULL,
  rated boolean NOT NULL,
  mean bigint,
  deviation bigint,
  PRIMARY KEY (shard, table_id, generation, player)
);
CREATE INDEX result_by_player
  ON misere.result (generation, player, ended_at, table_id);
CREATE INDEX result_to_rate
  ON misere.result (generation, game, ended_at, table_id, place, seat)
  WHERE rated AND mean IS NULL;
CREATE INDEX result_rated
  ON misere.result (generation, game, ended_at, table_id) WHERE mean IS NOT NULL;
CREATE INDEX result_rating_of
  ON misere.result (generation, game, player, ended_at, table_id)
  WHERE mean IS NOT NULL;

-- What a player's results of a game sum up to; the shard is that of the player's id.
CREATE TABLE misere.standing (
  shard smallint NOT NULL,
  player uuid NOT NULL,
  game text NOT NULL,
  generation int NOT NULL,
  games bigint NOT NULL,
  wins bigint NOT NULL,
  shared_wins bigint NOT NULL,
  scores bigint NOT NULL,
  places bigint NOT NULL,
  rated_games bigint NOT NULL,
  worth int NOT NULL,
  PRIMARY KEY (shard, player, game, generation)
);
CREATE INDEX standing_best ON misere.standing (generation, game, worth DESC, player);

-- A row a game: whoever changes its results or ratings takes it first, and leaves it
-- with another revision.
CREATE TABLE misere.ladder (
  generation int NOT NULL,
  game text NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (generation, game)
);

-- Tables that somebody may join are few among all there ever were.
CREATE INDEX lobby_with_free_seat ON misere.lobby (generation, created_at, table_id)
  WHERE visibility = 'public' AND free_seats > 0;
