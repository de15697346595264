-- Tools that may use the REST interface. The hash is SHA-256 of a secret of 256 random bits.
CREATE TABLE api_key (
    name        text        COLLATE "C" NOT NULL PRIMARY KEY CHECK (char_length(name) BETWEEN 1 AND 64),
    secret_hash text        NOT NULL CHECK (secret_hash ~ '^[0-9a-f]{64}$'),
    role        text        NOT NULL CHECK (role IN ('ADMIN', 'OPERATOR', 'VIEWER')),
    expires_at  timestamptz,
    created_by  text        NOT NULL,
    created_at  timestamptz NOT NULL
);
