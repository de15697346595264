package io.heddle.api.administrators;

import io.heddle.core.administration.AdminUser;
import java.util.UUID;

/**
 * JSON representation of an administrator.
 *
 * @param role ADMIN, OPERATOR or VIEWER
 */
record AdministratorResponse(UUID id, String userName, String role) {
    static AdministratorResponse of(AdminUser user) {
        return new AdministratorResponse(user.id(), user.userName(), user.role().name());
    }
}
