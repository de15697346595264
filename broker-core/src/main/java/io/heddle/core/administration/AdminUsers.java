package io.heddle.core.administration;

import io.heddle.core.Port;
import org.jspecify.annotations.Nullable;

/**
 * Where administrators are kept. May block: called on virtual threads only. Every method throws {@link
 * io.heddle.core.StoreUnavailableException} when the store does not answer.
 */
@Port
public interface AdminUsers {
    /**
     * The administrator with exactly this name.
     *
     * @return null when there is none
     */
    @Nullable
    AdminUser find(String userName);

    /**
     * Creates an administrator if the cluster has none at all. Of any number of callers on any number of nodes at most one
     * succeeds.
     *
     * @param announcement runs if this one is created, on this thread and before it is kept: when it throws, nobody is created
     *     and the exception goes to the caller
     * @return whether this one was created
     */
    boolean createIfNone(AdminUser first, Runnable announcement);

    /**
     * Gives an administrator another password.
     *
     * @param userName exactly
     * @param passwordHash as {@link io.heddle.core.authentication.PasswordHash} made it
     * @return whether there is one of that name
     */
    boolean changePassword(String userName, String passwordHash);
}
