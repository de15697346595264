-- Tells all nodes of new credentials, too, so that they know which names credentials have. Credentials that replace others have another id.
CREATE OR REPLACE FUNCTION notify_credentials_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM pg_notify('heddle_credentials', OLD.id::text);
    END IF;
    IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NEW.id <> OLD.id) THEN
        PERFORM pg_notify('heddle_credentials', NEW.id::text);
    END IF;
    RETURN NULL;
END $$;

DROP TRIGGER client_credentials_change ON client_credentials;

CREATE TRIGGER client_credentials_change AFTER INSERT OR UPDATE OR DELETE ON client_credentials
    FOR EACH ROW EXECUTE FUNCTION notify_credentials_change();
