-- Who may do what, in full: run after every migration, with the same result each time.
REVOKE ALL ON ALL TABLES IN SCHEMA misere FROM misere_app, misere_auditor;
GRANT USAGE ON SCHEMA misere TO misere_app, misere_auditor;
GRANT SELECT ON misere.migration TO misere_app, misere_auditor;

-- The running app reads the log and may call the append function: nothing else on it.
GRANT SELECT ON misere.shard, misere.stream, misere.append, misere.event,
  misere.sealed, misere.readable_event TO misere_app;
GRANT EXECUTE ON FUNCTION misere.append_batch TO misere_app;

GRANT SELECT, INSERT, UPDATE ON misere.player TO misere_app;
GRANT SELECT, INSERT ON misere.table_note TO misere_app;
GRANT SELECT, UPDATE ON misere.projection, misere.timekeeper TO misere_app;
GRANT SELECT, INSERT, DELETE ON misere.outage TO misere_app;
GRANT SELECT, INSERT ON misere.signing_key TO misere_app;
GRANT UPDATE (private_key) ON misere.signing_key TO misere_app;
GRANT SELECT, INSERT, UPDATE, DELETE
  ON misere.checkpoint, misere.lobby, misere.open_decision, misere.result,
  misere.standing, misere.ladder TO misere_app;

-- An auditor reads all but what is sealed, and what would open it: the hash of a request
-- has no salt, and a pass is one of some thousands. Credentials are nobody's business.
-- Named one by one: a new table is closed until somebody opens it here.
GRANT SELECT ON misere.shard, misere.stream, misere.event, misere.readable_event,
  misere.projection, misere.checkpoint, misere.lobby, misere.open_decision,
  misere.result, misere.standing, misere.ladder, misere.timekeeper, misere.outage
  TO misere_auditor;
GRANT SELECT (shard, position, table_id, first_version, last_version, command_id, head,
  committed_at) ON misere.append TO misere_auditor;
GRANT SELECT (id, name, kind, admin, referee, created_at) ON misere.player TO misere_auditor;
GRANT SELECT (table_id, title) ON misere.table_note TO misere_auditor;
GRANT SELECT (number, public_key, valid_from) ON misere.signing_key TO misere_auditor;
