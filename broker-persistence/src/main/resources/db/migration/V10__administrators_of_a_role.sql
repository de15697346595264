-- Lists of the administrators with one role.
CREATE INDEX admin_user_role_user_name ON admin_user (role, user_name);
