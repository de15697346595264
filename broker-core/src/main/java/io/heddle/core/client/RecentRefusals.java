package io.heddle.core.client;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The latest refusals of this node. Those of the same kind and reason for the same client at the same address are one entry with a count, so that
 * one client cannot displace the others. Thread-safe. Bounds: {@value #MAXIMUM} entries in {@value #SHARDS} shards; texts of {@value
 * #MAXIMUM_CHARACTERS} characters.
 */
public final class RecentRefusals {
    /** The number of entries that a node keeps. */
    public static final int MAXIMUM = 10_000;

    private static final int SHARDS = 16;
    private static final int MAXIMUM_CHARACTERS = 200;

    private final InstantSource clock;
    private final List<Shard> shards = new ArrayList<>();

    /** What was refused. */
    public enum Kind {
        CONNECT,
        PUBLISH,
        SUBSCRIBE,
        WILL,
        /** Anything that exceeds a limit. */
        LIMIT,
        /** The connection was closed because of a violation of the protocol. */
        PROTOCOL
    }

    /**
     * Refusals of one kind.
     *
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

    private record Key(
            Kind kind,
            String reason,
            String clientId,
            @Nullable String userName,
            String address) {}

    private static final class Shard {
        // The one that was refused last is the last one. Guarded by this.
        private final Map<Key, Refusal> refusals = new LinkedHashMap<>(16, 0.75f, true);

        synchronized void add(Key key, String detail, Instant now) {
            Refusal before = refusals.get(key);
            refusals.put(
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
            if (refusals.size() > MAXIMUM / SHARDS) {
                refusals.remove(refusals.keySet().iterator().next());
            }
        }

        synchronized List<Refusal> all() {
            return List.copyOf(refusals.values());
        }
    }

    public RecentRefusals(InstantSource clock) {
        this.clock = clock;
        for (int i = 0; i < SHARDS; i++) {
            shards.add(new Shard());
        }
    }

    /** Adds a refusal; the parameters are those of {@link Refusal}. */
    void add(
            Kind kind,
            String reason,
            String detail,
            String clientId,
            @Nullable String userName,
            @Nullable SocketAddress address) {
        Key key = new Key(kind, reason, cut(clientId), userName == null ? null : cut(userName), host(address));
        shards.get(Math.floorMod(Objects.hash(key.clientId(), key.address()), SHARDS))
                .add(key, cut(detail), clock.instant().truncatedTo(ChronoUnit.MICROS));
    }

    /** Returns those that match, the latest first. */
    public List<Refusal> latest(Predicate<Refusal> matches, int limit) {
        return shards.stream()
                .flatMap(shard -> shard.all().stream())
                .filter(matches)
                .sorted(Comparator.comparing(Refusal::last).reversed())
                .limit(limit)
                .toList();
    }

    private static String cut(String text) {
        return text.length() <= MAXIMUM_CHARACTERS
                ? text
                : text.substring(0, text.offsetByCodePoints(0, text.codePointCount(0, MAXIMUM_CHARACTERS)));
    }

    private static String host(@Nullable SocketAddress address) {
        if (address == null) {
            return "";
        }
        return address instanceof InetSocketAddress internet && internet.getAddress() != null
                ? internet.getAddress().getHostAddress()
                : address.toString();
    }
}
