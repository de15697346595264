-- Names are compared and sorted byte by byte, whatever the database's locale.

-- Who may connect. Either name may be left open (null: any), but not both.
CREATE TABLE client_credentials (
    id            uuid        NOT NULL PRIMARY KEY,
    client_id     text        COLLATE "C",
    user_name     text        COLLATE "C",
    client_type   text        NOT NULL,
    password_hash text        NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    updated_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT client_credentials_named CHECK (client_id IS NOT NULL OR user_name IS NOT NULL),
    CONSTRAINT client_credentials_client_id_length CHECK (octet_length(client_id) BETWEEN 1 AND 1024),
    CONSTRAINT client_credentials_user_name_length CHECK (octet_length(user_name) BETWEEN 0 AND 1024),
    CONSTRAINT client_credentials_client_type CHECK (client_type IN ('DEVICE', 'APPLICATION')),
    CONSTRAINT client_credentials_password_hash_length CHECK (octet_length(password_hash) BETWEEN 1 AND 512)
);

-- One row per pair of names, an open name being a name like any other; serves the lookup and the listing in order.
CREATE UNIQUE INDEX client_credentials_names
    ON client_credentials (user_name NULLS FIRST, client_id NULLS FIRST) NULLS NOT DISTINCT;

-- Who may administer the broker.
CREATE TABLE admin_user (
    id            uuid        NOT NULL PRIMARY KEY,
    user_name     text        COLLATE "C" NOT NULL,
    password_hash text        NOT NULL,
    role          text        NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    updated_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT admin_user_user_name UNIQUE (user_name),
    CONSTRAINT admin_user_user_name_length CHECK (char_length(user_name) BETWEEN 1 AND 255),
    CONSTRAINT admin_user_role CHECK (role IN ('ADMIN', 'VIEWER')),
    CONSTRAINT admin_user_password_hash_length CHECK (octet_length(password_hash) BETWEEN 1 AND 512)
);

-- Which cluster this is: one row, written once. The stores that belong to the cluster carry the same id.
CREATE TABLE cluster_identity (
    only_row   boolean     NOT NULL PRIMARY KEY DEFAULT true,
    cluster_id uuid        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT cluster_identity_only_row CHECK (only_row)
);
