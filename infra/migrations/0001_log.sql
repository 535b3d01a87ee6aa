-- The event log: what happened at every table, for ever.

-- 16 units of order and of placement; the shard leads every key. Its counter row is the
-- last thing an append locks and is held to commit, so that positions have no gap and
-- appear in the order of commit. Each row is rewritten all day: leave room in its page.
CREATE TABLE misere.shard (
  shard smallint PRIMARY KEY CHECK (shard BETWEEN 0 AND 15),
  position bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
INSERT INTO misere.shard SELECT g, 0 FROM generate_series(0, 15) g;

-- Where each table stands: the row that an append locks and checks.
CREATE TABLE misere.stream (
  shard smallint NOT NULL,
  table_id uuid NOT NULL,
  version bigint NOT NULL CHECK (version >= 0),
  head bytea NOT NULL CHECK (octet_length(head) = 32),
  PRIMARY KEY (shard, table_id)
);

-- One row per accepted command: its idempotency record, and the position that
-- projections follow, gap-free and in the order of commit.
CREATE TABLE misere.append (
  shard smallint NOT NULL,
  position bigint NOT NULL,
  table_id uuid NOT NULL,
  first_version bigint NOT NULL,
  last_version bigint NOT NULL CHECK (last_version >= first_version),
  command_id uuid NOT NULL,
  request_hash bytea NOT NULL,
  head bytea NOT NULL CHECK (octet_length(head) = 32),
  committed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (shard, position),
  UNIQUE (shard, table_id, command_id)
);

-- body: the hashed bytes themselves, never jsonb, which would spell them anew.
CREATE TABLE misere.event (
  shard smallint NOT NULL,
  table_id uuid NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  type text COLLATE "C" NOT NULL,
  body bytea NOT NULL,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (shard, table_id, version)
);

-- What a public event only commits to: the match's secret, a hand, a pass. No CHECK on
-- the secret: a failed one would print it.
CREATE TABLE misere.sealed (
  shard smallint NOT NULL,
  table_id uuid NOT NULL,
  version bigint NOT NULL,
  secret bytea NOT NULL,
  PRIMARY KEY (shard, table_id, version)
);

CREATE FUNCTION misere.forbid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'MS001';
END $$;

-- Always, so that the owner, a superuser and a replication role are refused as well.
-- The two tables of counters are rewritten by appends, but no row may leave them.
DO $$
DECLARE
  name text;
  refused text;
BEGIN
  FOR name, refused IN VALUES
    ('append', 'UPDATE OR DELETE'), ('event', 'UPDATE OR DELETE'),
    ('sealed', 'UPDATE OR DELETE'), ('stream', 'DELETE'), ('shard', 'DELETE')
  LOOP
    EXECUTE format('CREATE TRIGGER no_rewrite BEFORE %s ON misere.%I'
                   ' FOR EACH ROW EXECUTE FUNCTION misere.forbid()', refused, name);
    EXECUTE format('ALTER TABLE misere.%I ENABLE ALWAYS TRIGGER no_rewrite', name);
  END LOOP;
END $$;

-- Citus distributes no table that has a trigger for each statement: there the right to
-- truncate, which no role of ours has, is all that is in the way.
DO $$
DECLARE
  name text;
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    RETURN;
  END IF;
  FOREACH name IN ARRAY ARRAY['append', 'event', 'sealed', 'stream', 'shard'] LOOP
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON misere.%I'
                   ' FOR EACH STATEMENT EXECUTE FUNCTION misere.forbid()', name);
    EXECUTE format('ALTER TABLE misere.%I ENABLE ALWAYS TRIGGER no_truncate', name);
  END LOOP;
END $$;
