package io.heddle.core.operator.blocked;

import io.heddle.core.authentication.blocked.BlockedClient;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import io.heddle.core.authentication.blocked.BlockedClients;
import io.heddle.core.authentication.blocked.BlockedIndex;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.ClientSession;
import io.heddle.core.session.ConnectedClient;
import io.heddle.core.session.CredentialsWatch;
import io.heddle.core.session.LocalSessions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the blocked clients when they have changed, disconnects those of this node with reason code 0x98, and stores the entries of flapping
 * clients, at most {@value #STORED_AT_ONCE} in a run. Used by one thread, which blocks.
 */
public final class BlockedWatch implements CredentialsWatch.Listener {
    private static final Logger log = LoggerFactory.getLogger(BlockedWatch.class);
    private static final int STORED_AT_ONCE = 100;
    /** The clock of the store may be behind, so that it removes nothing yet. */
    private static final long REMOVAL_PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

    private final BlockedClients clients;
    private final BlockedClientStore store;
    private final Supplier<@Nullable LocalSessions> sessions;
    private final LongSupplier nanoTime;
    private boolean isReadDue;
    private boolean isFull;
    private long nextRemoval;

    /** @param sessions returns the sessions of this node; null before the broker serves and after its stop */
    public BlockedWatch(
            BlockedClients clients,
            BlockedClientStore store,
            Supplier<@Nullable LocalSessions> sessions,
            LongSupplier nanoTime) {
        this.clients = clients;
        this.store = store;
        this.sessions = sessions;
        this.nanoTime = nanoTime;
        this.nextRemoval = nanoTime.getAsLong();
    }

    /**
     * Reads the blocked clients. Before clients are accepted.
     *
     * @throws io.heddle.core.StoreUnavailableException if the store does not answer
     */
    public void load() {
        clients.replace(new BlockedIndex(store.all()));
    }

    @Override
    public void run(boolean isChanged) {
        isReadDue |= isChanged;
        List<BlockedClient> stored = storePending();
        isReadDue |= !stored.isEmpty();
        if (isReadDue) {
            Set<BlockedClient> before = new HashSet<>(clients.index().entries());
            load();
            isReadDue = false;
            stored.forEach(clients::stored);
            disconnect(clients.index().entries().stream()
                    .filter(entry -> !before.contains(entry))
                    .toList());
        }
        if (clients.hasEnded() && nanoTime.getAsLong() - nextRemoval >= 0) {
            nextRemoval = nanoTime.getAsLong() + REMOVAL_PAUSE_NANOS;
            store.removeEnded();
        }
    }

    private List<BlockedClient> storePending() {
        List<BlockedClient> stored = new ArrayList<>();
        for (BlockedClient entry : clients.pending()) {
            if (stored.size() == STORED_AT_ONCE) {
                break;
            }
            if (!store.put(entry)) {
                if (!isFull) {
                    log.warn(
                            "There are too many blocked clients, so clients that connect too often are blocked by single"
                                    + " nodes only; lift some with heddle admin blocked remove: maximum={}",
                            BlockedClientStore.MAXIMUM_FOR_FLAPPING);
                }
                isFull = true;
                return stored;
            }
            isFull = false;
            stored.add(entry);
        }
        return stored;
    }

    private void disconnect(List<BlockedClient> added) {
        LocalSessions connected = sessions.get();
        if (connected == null || added.isEmpty()) {
            return;
        }
        BlockedIndex blocking = new BlockedIndex(added);
        for (ConnectedClient client : candidates(added, connected)) {
            if (blocking.find(
                            client.identity().clientId(),
                            client.identity().userName(),
                            client.address(),
                            clients.clock())
                    != null) {
                disconnect(client, connected);
            }
        }
    }

    private static Collection<ConnectedClient> candidates(List<BlockedClient> added, LocalSessions connected) {
        return added.stream().allMatch(entry -> entry.kind() == BlockedClient.Kind.CLIENT_ID)
                ? added.stream()
                        .map(entry -> connected.inOrder().get(entry.value()))
                        .filter(Objects::nonNull)
                        .toList()
                : connected.inOrder().values();
    }

    private void disconnect(ConnectedClient client, LocalSessions connected) {
        ClientId clientId = client.identity().clientId();
        ClientSession session = connected.find(clientId);
        if (session != null) {
            session.eventLoop().execute(() -> {
                String detail = session.isConnected()
                        ? clients.disconnection(clientId, session.identity().userName(), client.address())
                        : null;
                if (detail != null) {
                    session.disconnect(ReasonCode.ADMINISTRATIVE_ACTION, detail);
                }
            });
        }
    }
}
