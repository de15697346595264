package io.heddle.core.administration;

import io.heddle.core.Port;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store of administrators. May block: called on virtual threads only. Every method throws
 * {@link io.heddle.core.StoreUnavailableException} if the store does not answer.
 */
@Port
public interface AdminUsers {
    /** Returns the administrator with exactly this name, or null. */
    @Nullable
    AdminUser find(String userName);

    /**
     * Creates an administrator if the cluster has none. Of all concurrent callers on all nodes, at most one succeeds.
     *
     * @param announcement runs on this thread before the administrator is stored; if it throws, none is created and the exception
     *     is propagated
     * @return whether this administrator was created
     */
    boolean createIfNone(AdminUser first, Runnable announcement);

    /**
     * Changes the password of an administrator.
     *
     * @param userName the exact name
     * @param passwordHash the result of {@link io.heddle.core.authentication.PasswordHash#hash}
     * @return whether an administrator with that name exists
     */
    boolean changePassword(String userName, String passwordHash);

    /** Returns a page of the administrators. */
    List<AdminUser> list(AccountQuery query);

    /** @return whether it was created; otherwise the name is taken */
    boolean create(AdminUser user);

    /** Changes the role of an administrator. Of concurrent callers on all nodes, none removes the last role {@link AdminRole#ADMIN}. */
    AdminChange changeRole(String userName, AdminRole role);

    /** Removes an administrator. Of concurrent callers on all nodes, none removes the last role {@link AdminRole#ADMIN}. */
    AdminChange remove(String userName);
}
