-- The log for people: bodies as JSON, hashes as hex. What is hashed and served is
-- always `event.body`, never this.
CREATE VIEW misere.readable_event AS
SELECT
  shard, table_id, version, type,
  convert_from(body, 'UTF8')::jsonb AS body,
  encode(hash, 'hex') AS hash
FROM misere.event;
