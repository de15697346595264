-- The persistent sessions and their subscriptions, as people search them. Written behind; the truth is in Kafka.
CREATE TABLE client_session (
    -- SHA-256 of the id's UTF-8: an id may be longer than what an index takes.
    client_key         bytea       NOT NULL PRIMARY KEY,
    client_id          text        COLLATE "C" NOT NULL,
    client_type        text        NOT NULL,
    user_name          text        COLLATE "C",
    -- The run of the node that the client is connected to; null while it is away.
    owner              text        COLLATE "C",
    expiry_seconds     bigint      NOT NULL,
    generation         bigint      NOT NULL,
    epoch              bigint      NOT NULL,
    away_since         timestamptz,
    subscription_count integer     NOT NULL,
    -- [{"filter", "qos", "noLocal", "retainAsPublished", "identifier"}, ...]; not all of them when they are very long.
    subscriptions      jsonb       NOT NULL,
    -- Of all the above: tells without reading it whether the row is still right.
    fingerprint        bigint      NOT NULL,
    updated_at         timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT client_session_client_key_length CHECK (octet_length(client_key) = 32),
    CONSTRAINT client_session_client_type CHECK (client_type IN ('DEVICE', 'APPLICATION'))
);

-- By the beginning of the id, and in its order: WHERE left(client_id, 256) LIKE 'pump-%' ORDER BY left(client_id, 256). 256
-- characters are at most 1,024 bytes.
CREATE INDEX client_session_client_id ON client_session (left(client_id, 256));

-- The same among the clients that are connected.
CREATE INDEX client_session_connected ON client_session (left(client_id, 256)) WHERE owner IS NOT NULL;
