-- The only way into the log.
--
-- Many appends of different tables in one statement, each standing or falling alone:
-- `appended`, `duplicate` (with what was stored then) or `conflict`. A batch that could
-- break a promise (a table twice, a broken chain, versions that do not follow, a wrong
-- shard or first hash) is refused whole, whoever calls. It must run at READ COMMITTED:
-- step 3 has to see what was committed while step 2 waited for its locks.
--
-- A session keeps its plans, and those made on a new database would scan the whole log
-- for every batch until statistics arrive. So each table of the log is reached by key
-- from each entry, whatever the planner believes: LATERAL with OFFSET 0 allows no other
-- join, and scans are switched off.
CREATE FUNCTION misere.append_batch(
  a_shard smallint[], a_table uuid[], a_expected bigint[], a_count int[],
  a_prev bytea[], a_head bytea[], a_command uuid[], a_request bytea[],
  e_table uuid[], e_version bigint[], e_type text[], e_body bytea[], e_hash bytea[],
  e_secret bytea[]
) RETURNS TABLE (
  ord bigint, outcome text, first_version bigint, last_version bigint,
  "position" bigint, head bytea, request_hash bytea
)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = misere, pg_temp
SET enable_seqscan = off
AS $$
#variable_conflict use_column
BEGIN
  IF EXISTS (SELECT 1 FROM unnest(a_table) AS r(t) GROUP BY t HAVING count(*) > 1) THEN
    RAISE EXCEPTION 'a table stands twice in one batch' USING ERRCODE = 'MS002';
  END IF;

  IF EXISTS (
    WITH req AS (
      SELECT *
      FROM unnest(a_shard, a_table, a_expected, a_count, a_prev, a_head)
        AS r(shard, table_id, expected, n, prev, head)
    ), ev AS (
      SELECT r.*, e.version, e.body, e.hash,
             row_number() OVER w AS k,
             count(*) OVER (PARTITION BY r.table_id) AS events,
             lag(e.hash, 1, r.prev) OVER w AS before,
             last_value(e.hash) OVER (
               PARTITION BY r.table_id ORDER BY e.version
               ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
             ) AS last
      FROM unnest(e_table, e_version, e_body, e_hash)
        AS e(table_id, version, body, hash)
      LEFT JOIN req r USING (table_id)
      WINDOW w AS (PARTITION BY r.table_id ORDER BY e.version)
    )
    SELECT 1 FROM ev
    WHERE shard IS NULL
       OR events IS DISTINCT FROM n
       OR version IS DISTINCT FROM expected + k
       OR last IS DISTINCT FROM head
       OR hash IS DISTINCT FROM
          sha256('\x01'::bytea || before || sha256('\x00'::bytea || body))
       OR shard <> get_byte(sha256(uuid_send(table_id)), 0) & 15
       OR (expected = 0 AND prev IS DISTINCT FROM
           sha256('chain/1'::bytea || '\x00'::bytea || uuid_send(table_id)))
    UNION ALL
    SELECT 1 FROM req
    WHERE n < 1 OR NOT EXISTS (SELECT 1 FROM ev WHERE ev.table_id = req.table_id)
  ) THEN
    RAISE EXCEPTION 'a batch that does not follow its chain' USING ERRCODE = 'MS003';
  END IF;

  -- 1. streams that begin (the loser of a race simply finds the row in step 2)
  INSERT INTO stream (shard, table_id, version, head)
  SELECT r.shard, r.table_id, 0, r.prev
  FROM unnest(a_shard, a_table, a_expected, a_prev)
    AS r(shard, table_id, expected, prev)
  WHERE r.expected = 0
  ORDER BY r.shard, r.table_id
  ON CONFLICT DO NOTHING;

  -- 2. lock in key order, the same in every batch: no deadlock
  PERFORM 1
  FROM (
    SELECT * FROM unnest(a_shard, a_table) AS u(shard, table_id)
    ORDER BY shard, table_id OFFSET 0
  ) r
  CROSS JOIN LATERAL (
    SELECT 1 FROM stream s
    WHERE s.shard = r.shard AND s.table_id = r.table_id
    OFFSET 0 FOR UPDATE
  ) locked;

  -- 3. decide each entry, take positions last, store
  RETURN QUERY
  WITH req AS (
    SELECT *
    FROM unnest(a_shard, a_table, a_expected, a_count, a_prev, a_head, a_command,
                a_request)
      WITH ORDINALITY
      AS r(shard, table_id, expected, n, prev, head, command, request, ord)
  ), dup AS (
    SELECT r.ord, p.first_version, p.last_version, p.position, p.head, p.request_hash
    FROM req r
    CROSS JOIN LATERAL (
      SELECT * FROM append p
      WHERE p.shard = r.shard AND p.table_id = r.table_id AND p.command_id = r.command
      OFFSET 0
    ) p
  ), fitting AS (
    SELECT r.*, s.row_id
    FROM req r
    CROSS JOIN LATERAL (
      SELECT s.ctid AS row_id, s.version, s.head FROM stream s
      WHERE s.shard = r.shard AND s.table_id = r.table_id
      OFFSET 0
    ) s
    WHERE s.version = r.expected AND s.head = r.prev
      AND NOT EXISTS (SELECT 1 FROM dup d WHERE d.ord = r.ord)
  ), moved AS (
    -- By its place alone: the sum keeps the shard from being looked for in the index.
    UPDATE stream s SET version = f.expected + f.n, head = f.head
    FROM fitting f
    WHERE s.ctid = f.row_id AND s.shard + 0 = f.shard
    RETURNING f.*
  ), per_shard AS (
    SELECT shard, count(*) AS k FROM moved GROUP BY shard
  ), locked_shard AS MATERIALIZED (
    SELECT l.shard FROM shard l JOIN per_shard p USING (shard)
    ORDER BY l.shard FOR UPDATE OF l
  ), bumped AS (
    UPDATE shard l SET position = l.position + p.k
    FROM per_shard p JOIN locked_shard USING (shard)
    WHERE l.shard = p.shard
    RETURNING l.shard, l.position - p.k AS base
  ), placed AS (
    SELECT m.*, b.base + row_number() OVER (PARTITION BY m.shard ORDER BY m.ord) AS pos
    FROM moved m JOIN bumped b USING (shard)
  ), ins_append AS (
    INSERT INTO append (shard, position, table_id, first_version, last_version,
                        command_id, request_hash, head)
    SELECT shard, pos, table_id, expected + 1, expected + n, command, request, head
    FROM placed
  ), ins_event AS (
    INSERT INTO event (shard, table_id, version, type, body, hash)
    SELECT p.shard, e.table_id, e.version, e.type, e.body, e.hash
    FROM unnest(e_table, e_version, e_type, e_body, e_hash)
      AS e(table_id, version, type, body, hash)
    JOIN placed p USING (table_id)
  ), ins_sealed AS (
    INSERT INTO sealed (shard, table_id, version, secret)
    SELECT p.shard, e.table_id, e.version, e.secret
    FROM unnest(e_table, e_version, e_secret) AS e(table_id, version, secret)
    JOIN placed p USING (table_id)
    WHERE e.secret IS NOT NULL
  )
  SELECT r.ord,
         CASE WHEN p.ord IS NOT NULL THEN 'appended'
              WHEN d.ord IS NOT NULL THEN 'duplicate'
              ELSE 'conflict' END,
         COALESCE(p.expected + 1, d.first_version),
         COALESCE(p.expected + p.n, d.last_version),
         COALESCE(p.pos, d.position),
         COALESCE(p.head, d.head),
         COALESCE(p.request, d.request_hash)
  FROM req r
  LEFT JOIN placed p ON p.ord = r.ord
  LEFT JOIN dup d ON d.ord = r.ord
  ORDER BY r.ord;
END $$;

REVOKE ALL ON FUNCTION misere.append_batch FROM PUBLIC;
