-- The keys that sign receipts, for all servers on this database. Each signs until the
-- one of the next number does, and loses its private part some time after.
-- No CHECK on that part: a failed one would print it.
CREATE TABLE misere.signing_key (
  number int PRIMARY KEY CHECK (number >= 1),
  public_key bytea NOT NULL CHECK (octet_length(public_key) = 32),
  private_key bytea,
  valid_from timestamptz NOT NULL
);

-- Which administrators may look at hidden cards, where the log says that they do.
ALTER TABLE misere.player ADD COLUMN referee boolean NOT NULL DEFAULT false;
