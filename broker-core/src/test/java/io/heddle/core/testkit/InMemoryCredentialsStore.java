package io.heddle.core.testkit;

import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** Client credentials in a sorted map. */
public final class InMemoryCredentialsStore implements CredentialsStore {
    private final ConcurrentSkipListMap<Key, StoredCredentials> credentials = new ConcurrentSkipListMap<>();

    @Override
    public @Nullable StoredCredentials find(ClientId clientId, @Nullable String userName) {
        StoredCredentials found = userName == null ? null : credentials.get(new Key(userName, clientId.value()));
        if (found == null) {
            found = credentials.get(new Key(null, clientId.value()));
        }
        if (found == null) {
            found = credentials.values().stream()
                    .filter(stored -> clientId.equals(stored.clientId()))
                    .findFirst()
                    .orElse(null);
        }
        return found == null && userName != null ? credentials.get(new Key(userName, null)) : found;
    }

    @Override
    public void put(StoredCredentials stored) {
        credentials.put(Key.of(stored.clientId(), stored.userName()), stored);
    }

    @Override
    public boolean remove(@Nullable ClientId clientId, @Nullable String userName) {
        return credentials.remove(Key.of(clientId, userName)) != null;
    }

    @Override
    public List<StoredCredentials> list(int offset, int limit) {
        return credentials.values().stream().skip(offset).limit(limit).toList();
    }

    @Override
    public boolean isEmpty() {
        return credentials.isEmpty();
    }

    @Override
    public long count() {
        return credentials.size();
    }

    private record Key(@Nullable String userName, @Nullable String clientId) implements Comparable<Key> {
        private static final Comparator<@Nullable String> OPEN_FIRST = Comparator.nullsFirst(Comparator.naturalOrder());

        static Key of(@Nullable ClientId clientId, @Nullable String userName) {
            return new Key(userName, clientId == null ? null : clientId.value());
        }

        @Override
        public int compareTo(Key other) {
            int byUserName = OPEN_FIRST.compare(userName, other.userName);
            return byUserName != 0 ? byUserName : OPEN_FIRST.compare(clientId, other.clientId);
        }
    }
}
