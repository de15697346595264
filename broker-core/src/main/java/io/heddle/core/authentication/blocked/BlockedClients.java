package io.heddle.core.authentication.blocked;

import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.blocked.BlockedClient.Kind;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.SocketAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocked clients, as this node knows them: the entries that it has read from the store, and those of flapping clients that are not stored
 * yet, of which it keeps at most {@value #MAXIMUM_PENDING}. Thread-safe; does not block.
 */
public final class BlockedClients {
    static final int MAXIMUM_PENDING = 10_000;

    private static final Logger log = LoggerFactory.getLogger(BlockedClients.class);

    private final Flapping flapping;
    private final Predicate<ClientId> isExempt;
    private final Supplier<Instant> clock;
    private final Map<Kind, Counter> refused;
    private final Map<Kind, Counter> disconnected;
    private final ConcurrentHashMap<String, BlockedClient> pending = new ConcurrentHashMap<>();
    private volatile BlockedIndex index = BlockedIndex.EMPTY;

    /**
     * No entries.
     *
     * @param isExempt whether no entry applies to a client
     * @param clock returns the time by which entries end
     */
    public BlockedClients(
            Flapping flapping, Predicate<ClientId> isExempt, Supplier<Instant> clock, MeterRegistry metrics) {
        this.flapping = flapping;
        this.isExempt = isExempt;
        this.clock = clock;
        this.refused = counters("refused", metrics);
        this.disconnected = counters("disconnected", metrics);
        Gauge.builder(
                        "heddle.clients.blocked.entries",
                        this,
                        all -> all.index.entries().size() + all.pending.size())
                .description("Entries of blocked clients")
                .register(metrics);
    }

    private static Map<Kind, Counter> counters(String effect, MeterRegistry metrics) {
        Map<Kind, Counter> counters = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            counters.put(
                    kind,
                    Counter.builder("heddle.clients.blocked")
                            .description("Blocked clients that were refused or disconnected")
                            .tag("kind", kind.tag())
                            .tag("effect", effect)
                            .register(metrics));
        }
        return counters;
    }

    /** Returns an entry that blocks a client, or null. A user name of null stands for an unknown one, too. */
    private @Nullable BlockedClient find(ClientId clientId, @Nullable String userName, SocketAddress address) {
        BlockedIndex known = index;
        if (known.isEmpty() && pending.isEmpty()) {
            return null;
        }
        BlockedClient found = pending.get(clientId.value());
        if (found == null || found.hasEnded(clock.get())) {
            found = known.find(clientId, userName, address, clock);
        }
        return found == null || isExempt.test(clientId) ? null : found;
    }

    /**
     * Returns the refusal of a client that connects, and counts it; null if it is not blocked.
     *
     * @param userName null before the authentication
     */
    public @Nullable Refused refusal(ClientId clientId, @Nullable String userName, SocketAddress address) {
        BlockedClient entry = find(clientId, userName, address);
        return entry == null ? null : new Refused(ReasonCode.BANNED, counted(entry, refused));
    }

    /**
     * Counts a client that is connected now.
     *
     * @return why it is disconnected: it flaps, or it was blocked after it was checked; null if it stays
     */
    public @Nullable String connected(ClientId clientId, @Nullable String userName, SocketAddress address) {
        if (flapping.count(clientId)) {
            block(clientId);
        }
        return disconnection(clientId, userName, address);
    }

    /** Returns why a connected client is disconnected, and counts it; null if it stays. */
    public @Nullable String disconnection(ClientId clientId, @Nullable String userName, SocketAddress address) {
        BlockedClient entry = find(clientId, userName, address);
        return entry == null ? null : counted(entry, disconnected);
    }

    private static String counted(BlockedClient entry, Map<Kind, Counter> counters) {
        Counter counter = counters.get(entry.kind());
        if (counter != null) {
            counter.increment();
        }
        return entry.described();
    }

    private void block(ClientId clientId) {
        Instant now = clock.get();
        if (pending.size() >= MAXIMUM_PENDING) {
            forgetEnded();
            if (pending.size() >= MAXIMUM_PENDING) {
                return;
            }
        }
        Flapping.Limits limits = flapping.limits();
        BlockedClient entry = new BlockedClient(
                UUID.randomUUID(),
                Kind.CLIENT_ID,
                clientId.value(),
                "connected more than " + limits.connections() + " times within "
                        + limits.window().toSeconds() + " s",
                now.plus(limits.block()).truncatedTo(ChronoUnit.MILLIS),
                BlockedClient.FLAPPING,
                now.truncatedTo(ChronoUnit.MILLIS));
        pending.put(clientId.value(), entry);
        log.debug("A client connects too often and is blocked: clientId={}", clientId);
    }

    /** Returns the entries of flapping clients that are not stored yet and have not ended. */
    public Collection<BlockedClient> pending() {
        forgetEnded();
        return List.copyOf(pending.values());
    }

    private void forgetEnded() {
        Instant now = clock.get();
        pending.values().removeIf(entry -> entry.hasEnded(now));
    }

    /** An entry is stored, or another one for the same client. After {@link #replace}. */
    public void stored(BlockedClient entry) {
        pending.remove(entry.value(), entry);
    }

    /** Takes the entries of the store. Every check that begins afterwards uses them. */
    public void replace(BlockedIndex latest) {
        index = latest;
    }

    /** Returns the entries of the store that were read last. */
    public BlockedIndex index() {
        return index;
    }

    /** Returns whether an entry that was read has ended. */
    public boolean hasEnded() {
        Instant now = clock.get();
        return index.entries().stream().anyMatch(entry -> entry.hasEnded(now));
    }

    /** Returns the time by which entries end. */
    public Supplier<Instant> clock() {
        return clock;
    }
}
