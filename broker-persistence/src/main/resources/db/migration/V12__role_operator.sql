ALTER TABLE admin_user
    DROP CONSTRAINT admin_user_role,
    ADD CONSTRAINT admin_user_role CHECK (role IN ('ADMIN', 'OPERATOR', 'VIEWER'));
