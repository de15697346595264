package io.heddle.core.operator.client;

import io.heddle.core.client.AddressRange;
import io.heddle.core.client.ClientType;
import io.heddle.core.session.ConnectedClient;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.SessionRecord;
import org.jspecify.annotations.Nullable;

/**
 * The clients that a list shows: those that meet all conditions. Each may be null. A client that is away meets no condition about a
 * connection.
 *
 * @param prefix with which the client id begins
 * @param glob a pattern of the client id with {@code *} and {@code ?}
 * @param nodeId of the node that the client is connected to
 * @param connectedAfterMillis the client has connected at this time of day or later
 * @param connectedBeforeMillis the client has connected before this time of day
 * @param awayBeforeMillis the client is away since before this time of day
 */
public record ClientFilter(
        @Nullable String prefix,
        @Nullable String glob,
        @Nullable String userName,
        @Nullable AddressRange address,
        @Nullable String nodeId,
        @Nullable ClientState state,
        @Nullable ClientType type,
        @Nullable Long connectedAfterMillis,
        @Nullable Long connectedBeforeMillis,
        @Nullable Long awayBeforeMillis) {
    public static final ClientFilter ALL = new ClientFilter(null, null, null, null, null, null, null, null, null, null);

    /** Returns the longest text with which all client ids of the list begin. */
    String commonPrefix() {
        String ofGlob = glob == null ? "" : Glob.literalPrefix(glob);
        return prefix == null || ofGlob.startsWith(prefix) ? ofGlob : prefix;
    }

    boolean showsConnected() {
        return state != ClientState.AWAY && awayBeforeMillis == null;
    }

    boolean showsAway() {
        return state != ClientState.CONNECTED
                && address == null
                && nodeId == null
                && connectedAfterMillis == null
                && connectedBeforeMillis == null;
    }

    /** The caller asks the nodes that the condition about the node allows. */
    boolean matches(ConnectedClient client) {
        long since = client.connectedAtMillis();
        return matches(
                        client.identity().clientId().value(),
                        client.identity().type(),
                        client.identity().userName())
                && (address == null || address.contains(client.address()))
                && (connectedAfterMillis == null || since >= connectedAfterMillis)
                && (connectedBeforeMillis == null || since < connectedBeforeMillis);
    }

    boolean matchesAway(PersistentSession session) {
        SessionRecord record = session.record();
        return record.isAway()
                && (awayBeforeMillis == null || record.awaySinceMillis() < awayBeforeMillis)
                && matches(session.clientId().value(), record.type(), record.userName());
    }

    private boolean matches(String clientId, ClientType ofClient, @Nullable String user) {
        return (prefix == null || clientId.startsWith(prefix))
                && (type == null || type == ofClient)
                && (userName == null || userName.equals(user))
                && (glob == null || Glob.matches(glob, clientId));
    }
}
