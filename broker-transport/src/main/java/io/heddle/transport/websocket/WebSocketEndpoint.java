package io.heddle.transport.websocket;

import io.heddle.core.Limit;
import io.heddle.transport.proxy.TrustedNetworks;
import java.time.Duration;
import java.util.List;

/**
 * What a listener accepts as WebSocket.
 *
 * @param paths the paths of the URL, such as /mqtt, at least one; a slash at the end makes no difference
 * @param origins of web pages that may connect
 * @param maximumFrameBytes the maximum size of the data of a frame, at least 1, and its setting
 * @param trusted networks of proxies whose X-Forwarded-For counts
 * @param closeTimeout the time to write unsent output after the client's Close frame
 */
public record WebSocketEndpoint(
        List<String> paths,
        AllowedOrigins origins,
        Limit maximumFrameBytes,
        TrustedNetworks trusted,
        Duration closeTimeout) {
    public WebSocketEndpoint {
        paths = paths.stream().map(WebSocketEndpoint::bare).distinct().toList();
        for (String path : paths) {
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException("path is " + path + ": begin it with a slash");
            }
        }
        if (paths.isEmpty()) {
            throw new IllegalArgumentException("at least one path is required");
        }
        if (maximumFrameBytes.value() < 1) {
            throw new IllegalArgumentException("maximum frame size must be positive");
        }
    }

    boolean hasPath(String path) {
        return paths.contains(bare(path));
    }

    private static String bare(String path) {
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
