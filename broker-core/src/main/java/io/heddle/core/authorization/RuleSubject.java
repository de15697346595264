package io.heddle.core.authorization;

import io.heddle.core.client.ClientId;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client as rules see it: everything that selects its rules or replaces a placeholder.
 *
 * @param userName the authenticated user name, or null
 * @param attributes of the client by name, from the method that has authenticated it; {@code cn} is the CN of its certificate
 * @param groups the names of the client's groups
 * @param address of the client; behind a trusted proxy, the address that the proxy reports
 */
public record RuleSubject(
        ClientId clientId,
        @Nullable String userName,
        Map<String, String> attributes,
        Set<String> groups,
        SocketAddress address) {
    public RuleSubject {
        attributes = Map.copyOf(attributes);
        groups = Set.copyOf(groups);
    }

    /** Creates a client that belongs to no group and has no attributes. */
    public RuleSubject(ClientId clientId, @Nullable String userName, SocketAddress address) {
        this(clientId, userName, Map.of(), Set.of(), address);
    }
}
