-- Clients that may not connect. Entries of the broker itself are by "flapping".
CREATE TABLE blocked_client (
    id         uuid        PRIMARY KEY,
    kind       text        NOT NULL CHECK (kind IN ('CLIENT_ID', 'CLIENT_ID_PATTERN', 'USER_NAME', 'ADDRESS')),
    value      text        NOT NULL,
    reason     text        NOT NULL CHECK (length(reason) <= 200),
    until      timestamptz,
    created_by text        NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (kind, value)
);

-- Tells all nodes that entries have changed, whoever changes them.
CREATE FUNCTION notify_blocked_client_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('heddle_blocked_clients', '');
    RETURN NULL;
END $$;

CREATE TRIGGER blocked_client_change AFTER INSERT OR UPDATE OR DELETE ON blocked_client
    FOR EACH STATEMENT EXECUTE FUNCTION notify_blocked_client_change();
