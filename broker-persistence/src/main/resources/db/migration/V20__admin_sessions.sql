-- Sessions of administrators in browsers. token_hash is SHA-256 of a token of 256 random bits. A session ends when account is no longer
-- that of the administrator: SHA-256 of the id and the hash of the password.
CREATE TABLE admin_session (
    id           uuid        NOT NULL PRIMARY KEY,
    token_hash   text        NOT NULL UNIQUE CHECK (token_hash ~ '^[0-9a-f]{64}$'),
    user_name    text        COLLATE "C" NOT NULL,
    account      text        NOT NULL CHECK (account ~ '^[0-9a-f]{64}$'),
    address      text        NOT NULL,
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL
);
CREATE INDEX admin_session_user_name ON admin_session (user_name);
