-- Lists of the credentials of APPLICATION clients, which are few among very many. Those of DEVICE clients come from the indexes of all.
CREATE INDEX client_credentials_application_user_name
    ON client_credentials (user_name NULLS FIRST, client_id NULLS FIRST) WHERE client_type = 'APPLICATION';
CREATE INDEX client_credentials_application_client_id
    ON client_credentials (client_id, user_name NULLS FIRST) WHERE client_type = 'APPLICATION' AND client_id IS NOT NULL;
