-- Each CONNECT asks for the credentials that name its client id.
CREATE INDEX client_credentials_client_id ON client_credentials (client_id) WHERE client_id IS NOT NULL;
