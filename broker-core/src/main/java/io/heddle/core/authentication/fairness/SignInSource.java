package io.heddle.core.authentication.fairness;

import io.heddle.core.RemoteNetwork;
import java.net.InetAddress;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a sign-in attempt, for fair scheduling and for delaying guesses. An IPv6 /64 counts as one network, because one
 * customer usually owns all of its addresses.
 *
 * @param network the IPv4 address or IPv6 /64 of the client, or of the proxy or NAT in front of it; truncated like the name
 * @param name the user name, or the client id if there is none; truncated to {@value #MAX_LENGTH} characters
 * @param gone whether the client has disconnected, so that the outcome no longer matters; any thread
 * @param mayWait whether the attempt may wait for its turn
 */
public record SignInSource(String network, String name, BooleanSupplier gone, boolean mayWait) {
    static final int MAX_LENGTH = 255;

    public SignInSource {
        network = shortened(network);
        name = shortened(name);
    }

    /** Creates the source of an attempt that may wait. */
    public SignInSource(String network, String name) {
        this(network, name, () -> false, true);
    }

    /**
     * Returns the source of an HTTP request.
     *
     * @param remoteAddress a numeric address; a trusted proxy may also forward a name or "unknown"
     */
    public static SignInSource of(String remoteAddress, String userName) {
        return new SignInSource(network(remoteAddress), userName);
    }

    /** Returns whether the client has disconnected, so that the outcome no longer matters. */
    public boolean isGone() {
        return gone.getAsBoolean();
    }

    private static String network(String remoteAddress) {
        InetAddress literal = literal(remoteAddress);
        return literal != null ? RemoteNetwork.of(literal) : remoteAddress;
    }

    private static @Nullable InetAddress literal(String remoteAddress) {
        try {
            return InetAddress.ofLiteral(remoteAddress);
        } catch (IllegalArgumentException notAnAddress) {
            return null;
        }
    }

    private static String shortened(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH);
    }
}
