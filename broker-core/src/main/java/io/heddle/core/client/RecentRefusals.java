package io.heddle.core.client;

import io.heddle.core.RemoteNetwork;
import java.net.SocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The latest refusals of this node. Those of the same kind and reason for the same client at the same address are one entry with a count, so that
 * a client that repeats itself displaces nobody. A network with {@value #MAXIMUM_OF_NETWORK} entries displaces its own oldest one, so that no
 * network alone displaces those of others, with whatever client ids. Thread-safe: one lock, held for an entry. Bounds: {@value #MAXIMUM} entries;
 * texts of {@value #MAXIMUM_CHARACTERS} characters.
 */
public final class RecentRefusals {
    /** The number of entries that a node keeps. */
    public static final int MAXIMUM = 10_000;

    static final int MAXIMUM_OF_NETWORK = MAXIMUM / 10;
    private static final int MAXIMUM_CHARACTERS = 200;
    private static final int MAXIMUM_TAKEOVERS = 8;

    private final InstantSource clock;
    private final ClientEvents events;
    // The one that was refused last is the last one, in both. Guarded by this.
    private final LinkedHashMap<Key, Refusal> refusals = new LinkedHashMap<>();
    private final Map<String, LinkedHashSet<Key>> networks = new HashMap<>();

    public enum Kind {
        CONNECT,
        PUBLISH,
        SUBSCRIBE,
        WILL,
        /** Anything that exceeds a limit. */
        LIMIT,
        /** The connection was closed because of a violation of the protocol. */
        PROTOCOL,
        /** The connection was closed because the client id has connected again, repeatedly: clients fight over it. */
        TAKEOVER
    }

    /**
     * @param reason the name of a reason code or of a setting
     * @param detail of the latest one, for the operator; may contain text of the client
     * @param clientId as the client has sent it; may be empty
     * @param userName null if it is unknown or there is none
     * @param address without port; empty if it is unknown
     */
    public record Refusal(
            Kind kind,
            String reason,
            String detail,
            String clientId,
            @Nullable String userName,
            String address,
            Instant first,
            Instant last,
            long count) {}

    /** @param network of the address; empty if it is unknown */
    private record Key(
            Kind kind,
            String reason,
            String clientId,
            @Nullable String userName,
            String address,
            String network) {}

    RecentRefusals(InstantSource clock, ClientEvents events) {
        this.clock = clock;
        this.events = events;
    }

    /** Adds a refusal; the parameters are those of {@link Refusal}. */
    void add(
            Kind kind,
            String reason,
            String detail,
            String clientId,
            @Nullable String userName,
            @Nullable SocketAddress address) {
        events.refused(kind, reason, detail, clientId, userName, address);
        Key key = new Key(
                kind,
                reason,
                cut(clientId),
                userName == null ? null : cut(userName),
                RemoteNetwork.host(address),
                address == null ? "" : RemoteNetwork.of(address));
        add(key, cut(detail), clock.instant().truncatedTo(ChronoUnit.MICROS));
    }

    private synchronized void add(Key key, String detail, Instant now) {
        Refusal before = refusals.get(key);
        refusals.putLast(
                key,
                new Refusal(
                        key.kind(),
                        key.reason(),
                        detail,
                        key.clientId(),
                        key.userName(),
                        key.address(),
                        before == null ? now : before.first(),
                        now,
                        before == null ? 1 : before.count() + 1));
        LinkedHashSet<Key> ofNetwork = networks.computeIfAbsent(key.network(), _ -> new LinkedHashSet<>());
        ofNetwork.addLast(key);
        if (ofNetwork.size() > MAXIMUM_OF_NETWORK) {
            refusals.remove(ofNetwork.removeFirst());
        } else if (refusals.size() > MAXIMUM) {
            forgetOldest();
        }
    }

    private void forgetOldest() {
        Key oldest = refusals.firstEntry().getKey();
        refusals.remove(oldest);
        networks.computeIfPresent(oldest.network(), (_, keys) -> {
            keys.remove(oldest);
            return keys.isEmpty() ? null : keys;
        });
    }

    private synchronized List<Refusal> all() {
        return List.copyOf(refusals.values());
    }

    /** Returns those that match, the latest first. */
    public List<Refusal> latest(Predicate<Refusal> matches, int limit) {
        return all().stream()
                .filter(matches)
                .sorted(Comparator.comparing(Refusal::last).reversed())
                .limit(limit)
                .toList();
    }

    /** Returns the latest repeated takeovers of a client, by the address of the connection that was closed. */
    public List<Refusal> takeovers(ClientId clientId) {
        String known = cut(clientId.value());
        return latest(each -> each.kind() == Kind.TAKEOVER && each.clientId().equals(known), MAXIMUM_TAKEOVERS);
    }

    private static String cut(String text) {
        return text.length() <= MAXIMUM_CHARACTERS
                ? text
                : text.substring(0, text.offsetByCodePoints(0, text.codePointCount(0, MAXIMUM_CHARACTERS)));
    }
}
