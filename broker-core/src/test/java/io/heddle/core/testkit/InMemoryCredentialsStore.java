package io.heddle.core.testkit;

import io.heddle.core.authentication.CredentialsChange;
import io.heddle.core.authentication.CredentialsQuery;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Client credentials in a sorted map. */
public final class InMemoryCredentialsStore implements CredentialsStore {
    private final ConcurrentSkipListMap<Key, StoredCredentials> credentials = new ConcurrentSkipListMap<>();

    private final InMemoryCredentialsChanges changes = new InMemoryCredentialsChanges();

    /** Returns the changes of this store. */
    public InMemoryCredentialsChanges changes() {
        return changes;
    }

    private void onEnded(@Nullable StoredCredentials ended) {
        if (ended != null) {
            changes.add(ended.id());
        }
    }

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
        onEnded(credentials.put(Key.of(stored.clientId(), stored.userName()), stored));
        changes.add(stored.id());
    }

    @Override
    public boolean remove(@Nullable ClientId clientId, @Nullable String userName) {
        StoredCredentials removed = credentials.remove(Key.of(clientId, userName));
        onEnded(removed);
        return removed != null;
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
    public List<Names> names(@Nullable UUID after, int limit) {
        // As unsigned numbers, like PostgreSQL.
        Comparator<UUID> order = Comparator.comparing(UUID::toString);
        return credentials.values().stream()
                .filter(each -> after == null || order.compare(each.id(), after) > 0)
                .sorted(Comparator.comparing(StoredCredentials::id, order))
                .limit(limit)
                .map(each -> new Names(each.id(), each.clientId(), each.userName()))
                .toList();
    }

    @Override
    public long count() {
        return credentials.size();
    }

    @Override
    public @Nullable StoredCredentials get(UUID id) {
        return credentials.values().stream()
                .filter(stored -> stored.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    @Override
    public List<StoredCredentials> get(Collection<UUID> ids) {
        return credentials.values().stream()
                .filter(stored -> ids.contains(stored.id()))
                .toList();
    }

    @Override
    public void renew(StoredCredentials before, String passwordHash) {
        StoredCredentials after = new StoredCredentials(
                before.id(),
                before.clientId(),
                before.userName(),
                before.type(),
                before.groups(),
                passwordHash,
                before.hashFingerprint());
        if (credentials.replace(Key.of(before.clientId(), before.userName()), before, after)) {
            onEnded(before);
        }
    }

    @Override
    public List<StoredCredentials> page(CredentialsQuery query) {
        boolean isByUser = query.order() == CredentialsQuery.Order.USER_NAME;
        Function<Key, @Nullable String> first = isByUser ? Key::userName : Key::clientId;
        Function<Key, @Nullable String> second = isByUser ? Key::clientId : Key::userName;
        Comparator<Key> ascending = Comparator.comparing(first, Key.OPEN_FIRST).thenComparing(second, Key.OPEN_FIRST);
        Comparator<Key> order = query.isDescending() ? ascending.reversed() : ascending;
        CredentialsQuery.Names after = query.after();
        String prefix = query.prefix();
        return credentials.entrySet().stream()
                .filter(entry -> isByUser || entry.getKey().clientId() != null)
                .filter(entry ->
                        query.type() == null || query.type() == entry.getValue().type())
                .filter(entry -> startsWith(first.apply(entry.getKey()), prefix))
                .filter(entry ->
                        after == null || order.compare(entry.getKey(), new Key(after.userName(), after.clientId())) > 0)
                .sorted(Map.Entry.comparingByKey(order))
                .limit(query.limit())
                .map(Map.Entry::getValue)
                .toList();
    }

    private static boolean startsWith(@Nullable String name, @Nullable String prefix) {
        return prefix == null || (name != null && name.startsWith(prefix));
    }

    @Override
    public boolean create(StoredCredentials stored) {
        boolean isNew = credentials.putIfAbsent(Key.of(stored.clientId(), stored.userName()), stored) == null;
        if (isNew) {
            changes.add(stored.id());
        }
        return isNew;
    }

    @Override
    public synchronized CredentialsChange update(StoredCredentials before, StoredCredentials after) {
        Key from = Key.of(before.clientId(), before.userName());
        Key to = Key.of(after.clientId(), after.userName());
        if (!before.equals(credentials.get(from))) {
            return CredentialsChange.ABSENT;
        }
        if (from.compareTo(to) != 0 && credentials.containsKey(to)) {
            return CredentialsChange.NAMES_TAKEN;
        }
        onEnded(credentials.remove(from));
        credentials.put(to, after);
        return CredentialsChange.DONE;
    }

    @Override
    public boolean remove(UUID id) {
        StoredCredentials stored = get(id);
        return stored != null && remove(stored.clientId(), stored.userName());
    }

    @Override
    public Set<UUID> putAll(Collection<StoredCredentials> many, boolean replace) {
        Set<UUID> stored = new HashSet<>();
        for (StoredCredentials each : many) {
            if (replace) {
                put(each);
                stored.add(each.id());
            } else if (create(each)) {
                stored.add(each.id());
            }
        }
        return stored;
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
