package io.heddle.core.testkit;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AccountQuery;
import io.heddle.core.administration.ApiKey;
import io.heddle.core.administration.ApiKeys;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** API keys in a sorted map, in a store that can be made unavailable. */
public final class InMemoryApiKeys implements ApiKeys {
    private final ConcurrentSkipListMap<String, ApiKey> stored = new ConcurrentSkipListMap<>();
    private volatile boolean isDown;

    /** Makes the store unavailable, or available again. */
    public void setDown(boolean down) {
        isDown = down;
    }

    private ConcurrentSkipListMap<String, ApiKey> keys() {
        if (isDown) {
            throw StoreUnavailableException.postgres("PostgreSQL at secret-host", new IllegalStateException("refused"));
        }
        return stored;
    }

    @Override
    public @Nullable ApiKey find(String name) {
        return keys().get(name);
    }

    @Override
    public List<ApiKey> list(AccountQuery query) {
        NavigableMap<String, ApiKey> all = query.isDescending() ? keys().descendingMap() : keys();
        NavigableMap<String, ApiKey> rest = query.after() == null ? all : all.tailMap(query.after(), false);
        return rest.values().stream()
                .filter(key -> query.role() == null || query.role() == key.role())
                .limit(query.limit())
                .toList();
    }

    @Override
    public boolean create(ApiKey key) {
        return keys().putIfAbsent(key.name(), key) == null;
    }

    @Override
    public void remove(String name) {
        keys().remove(name);
    }
}
