-- If the broker has replaced the stored password hash by a stronger one of the same password: the fingerprint of the stored one, so that the
-- credentials still count as unchanged. Null otherwise.
ALTER TABLE client_credentials ADD COLUMN renewed_from bigint;

-- A new password ends that, whoever stores it.
CREATE FUNCTION forget_renewed_hash() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.password_hash <> OLD.password_hash AND NEW.renewed_from IS NOT DISTINCT FROM OLD.renewed_from THEN
        NEW.renewed_from := NULL;
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER client_credentials_password BEFORE UPDATE ON client_credentials
    FOR EACH ROW EXECUTE FUNCTION forget_renewed_hash();
