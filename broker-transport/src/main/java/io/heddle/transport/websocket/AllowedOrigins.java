package io.heddle.transport.websocket;

import io.netty.util.NetUtil;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The origins of web pages that may connect. A browser connects on behalf of every page that asks it to, also to a server that only its own
 * machine can reach. Clients that are not browsers send no origin.
 *
 * @param listed such as https://example.org, or {@value #ALL}. If empty: pages of the host to which they connect, and of localhost
 * @param setting the name of the setting
 */
public record AllowedOrigins(Set<String> listed, String setting) {
    /** Allows every origin. */
    public static final String ALL = "*";

    /** The origin of pages without a host, such as files. */
    private static final String NONE = "null";

    public AllowedOrigins {
        listed = Set.copyOf(listed);
    }

    /**
     * Returns whether a page may connect.
     *
     * @param host the header Host; null if there is none
     * @param isOnLoopback whether the connection comes from this machine, and from no trusted proxy. Then a name that is not localhost proves
     *     nothing: the owner of a page can let the name of its host point to this machine (DNS rebinding)
     */
    boolean allow(String origin, @Nullable String host, boolean isOnLoopback) {
        if (!listed.isEmpty()) {
            return listed.contains(ALL) || listed.contains(origin);
        }
        if (origin.equals(NONE)) {
            return false;
        }
        // Browsers write the scheme, some other clients only the host to which they connect.
        int scheme = origin.indexOf("://");
        String page = hostOf(scheme < 0 ? origin : origin.substring(scheme + 3));
        if (isLocalhost(page)) {
            return true;
        }
        return host != null && page.equalsIgnoreCase(hostOf(host)) && (isNumeric(page) || !isOnLoopback);
    }

    /** Returns the host in front of a port; an IPv6 address keeps its brackets. */
    private static String hostOf(String authority) {
        int end = authority.startsWith("[") ? authority.indexOf(']') + 1 : authority.indexOf(':');
        return end <= 0 ? authority : authority.substring(0, end);
    }

    private static boolean isLocalhost(String host) {
        return host.equalsIgnoreCase("localhost")
                || host.equals("[::1]")
                || (host.startsWith("127.") && NetUtil.isValidIpV4Address(host));
    }

    private static boolean isNumeric(String host) {
        return host.startsWith("[") || NetUtil.isValidIpV4Address(host);
    }
}
