-- Tells all nodes when all rows of a table are removed at once, which no trigger for rows notices. A notice without an id means any change.
CREATE FUNCTION notify_credentials_truncation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('heddle_credentials', '');
    RETURN NULL;
END $$;

CREATE TRIGGER client_credentials_truncation AFTER TRUNCATE ON client_credentials
    FOR EACH STATEMENT EXECUTE FUNCTION notify_credentials_truncation();

CREATE TRIGGER blocked_client_truncation AFTER TRUNCATE ON blocked_client
    FOR EACH STATEMENT EXECUTE FUNCTION notify_blocked_client_change();
