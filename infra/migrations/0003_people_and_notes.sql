-- What is known beside the log, where it can be forgotten while the chain still holds.

-- A person can be forgotten: name and token go, the id that events name stays.
CREATE TABLE misere.player (
  id uuid PRIMARY KEY,
  name text,
  kind text NOT NULL CHECK (kind IN ('human', 'bot')),
  admin boolean NOT NULL DEFAULT false,
  token_hash bytea UNIQUE,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE misere.table_note (
  table_id uuid PRIMARY KEY,
  title text,
  invite text
);
