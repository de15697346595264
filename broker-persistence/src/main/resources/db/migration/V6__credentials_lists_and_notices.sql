-- Lists of credentials by client id; also serves the CONNECT that asks for the credentials of its client id.
CREATE INDEX client_credentials_client_id_order
    ON client_credentials (client_id, user_name NULLS FIRST) WHERE client_id IS NOT NULL;
DROP INDEX client_credentials_client_id;

-- Tells all nodes which credentials have changed or ended, whoever changes them, so that they disconnect their clients. Ids only.
CREATE FUNCTION notify_credentials_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('heddle_credentials', OLD.id::text);
    RETURN NULL;
END $$;

CREATE TRIGGER client_credentials_change AFTER UPDATE OR DELETE ON client_credentials
    FOR EACH ROW EXECUTE FUNCTION notify_credentials_change();
