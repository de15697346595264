-- The groups of the clients that use these credentials, for the rules for topics; in ascending order.
ALTER TABLE client_credentials ADD COLUMN client_groups text[] NOT NULL DEFAULT '{}';
