package io.heddle.core.session;

import io.heddle.core.client.DisconnectCause;

/**
 * The end of a client's connection to this node.
 *
 * @param client as it was connected
 * @param millis the time of day
 */
public record Disconnection(ConnectedClient client, DisconnectCause cause, long millis) {
    private static final int FIXED_BYTES = 400;

    /** Returns the approximate memory. */
    long bytes() {
        String userName = client.identity().userName();
        int characters = client.identity().clientId().value().length()
                + (userName == null ? 0 : userName.length())
                + cause.detail().length();
        return FIXED_BYTES + 2L * characters;
    }
}
