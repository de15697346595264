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
     * @return whether this one was created
     */
    boolean createIfNone(AdminUser first);
}
