package io.heddle.core.administration;

import io.heddle.core.Port;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store of API keys, with those that have expired. May block: called on virtual threads only. Every method throws
 * {@link io.heddle.core.StoreUnavailableException} if the store does not answer.
 */
@Port
public interface ApiKeys {
    /** Returns the key with exactly this name, which {@link ApiKey#isName} accepts, or null. */
    @Nullable
    ApiKey find(String name);

    /** Returns a page of the keys. */
    List<ApiKey> list(AccountQuery query);

    /** @return whether it was created; otherwise the name is taken */
    boolean create(ApiKey key);

    /** Removes a key, if it exists. */
    void remove(String name);
}
