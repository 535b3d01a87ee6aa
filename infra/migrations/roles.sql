-- Roles belong to the whole server, not to one database: another may have made them.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['misere_app', 'misere_auditor'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', name);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
  END LOOP;
END $$;
