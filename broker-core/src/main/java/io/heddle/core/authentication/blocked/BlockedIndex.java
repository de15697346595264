package io.heddle.core.authentication.blocked;

import io.heddle.core.authentication.ClientIdPattern;
import io.heddle.core.client.AddressRange;
import io.heddle.core.client.ClientId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries by what they block. Immutable. Client ids, user names and single addresses are looked up; patterns and networks are tried one after
 * the other.
 */
public final class BlockedIndex {
    private static final Logger log = LoggerFactory.getLogger(BlockedIndex.class);

    /** No entries. */
    public static final BlockedIndex EMPTY = new BlockedIndex(List.of());

    private final List<BlockedClient> entries;
    private final Map<String, BlockedClient> clientIds = new HashMap<>();
    private final Map<String, BlockedClient> userNames = new HashMap<>();
    private final Map<InetAddress, BlockedClient> addresses = new HashMap<>();
    private final List<Pattern> patterns = new ArrayList<>();
    private final List<Network> networks = new ArrayList<>();

    private record Pattern(ClientIdPattern pattern, BlockedClient entry) {}

    private record Network(AddressRange range, BlockedClient entry) {}

    /** Creates an index. Entries that cannot be read block nobody, and are logged. */
    public BlockedIndex(Collection<BlockedClient> entries) {
        this.entries = List.copyOf(entries);
        for (BlockedClient entry : entries) {
            try {
                add(entry);
            } catch (IllegalArgumentException wrong) {
                log.warn(
                        "An entry of a blocked client has no valid value and blocks nobody; remove it: id={}, kind={}",
                        entry.id(),
                        entry.kind());
            }
        }
    }

    private void add(BlockedClient entry) {
        String value = entry.value();
        switch (entry.kind()) {
            case CLIENT_ID -> clientIds.put(value, entry);
            case CLIENT_ID_PATTERN -> patterns.add(new Pattern(new ClientIdPattern(value), entry));
            case USER_NAME -> userNames.put(value, entry);
            case ADDRESS -> {
                if (value.indexOf('/') < 0) {
                    addresses.merge(InetAddress.ofLiteral(value), entry, BlockedIndex::later);
                } else {
                    networks.add(new Network(AddressRange.parse(value), entry));
                }
            }
        }
    }

    /** Rows that were stored in other spellings may be about the same address. */
    private static BlockedClient later(BlockedClient one, BlockedClient other) {
        Instant end = one.until();
        return end == null || (other.until() != null && other.until().isBefore(end)) ? one : other;
    }

    public List<BlockedClient> entries() {
        return entries;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /**
     * Returns an entry that blocks a client now, or null.
     *
     * @param userName the authenticated user name; null if it is unknown or there is none
     */
    public @Nullable BlockedClient find(
            ClientId clientId, @Nullable String userName, SocketAddress address, Supplier<Instant> clock) {
        if (isEmpty()) {
            return null;
        }
        Instant now = clock.get();
        BlockedClient byId = inForce(clientIds.get(clientId.value()), now);
        if (byId != null) {
            return byId;
        }
        BlockedClient byUser = userName == null ? null : inForce(userNames.get(userName), now);
        if (byUser != null) {
            return byUser;
        }
        BlockedClient byAddress = address instanceof InetSocketAddress internet && !internet.isUnresolved()
                ? inForce(addresses.get(internet.getAddress()), now)
                : null;
        return byAddress != null ? byAddress : findInLists(clientId, address, now);
    }

    private @Nullable BlockedClient findInLists(ClientId clientId, SocketAddress address, Instant now) {
        for (Pattern each : patterns) {
            if (!each.entry.hasEnded(now) && each.pattern.matches(clientId)) {
                return each.entry;
            }
        }
        for (Network each : networks) {
            if (!each.entry.hasEnded(now) && each.range.contains(address)) {
                return each.entry;
            }
        }
        return null;
    }

    private static @Nullable BlockedClient inForce(@Nullable BlockedClient entry, Instant now) {
        return entry == null || entry.hasEnded(now) ? null : entry;
    }
}
