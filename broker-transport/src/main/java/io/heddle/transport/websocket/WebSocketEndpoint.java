package io.heddle.transport.websocket;

import io.heddle.core.Limit;
import io.heddle.transport.proxy.TrustedNetworks;
import java.time.Duration;
import java.util.Set;

/**
 * What a listener accepts as WebSocket.
 *
 * @param path the path of the URL, such as /mqtt
 * @param origins the allowed origins of web pages, such as https://example.org; empty for all. Clients that are not web browsers send none
 * @param maximumFrameBytes the maximum size of the data of a frame, at least 1, and its setting
 * @param trusted networks of proxies whose X-Forwarded-For counts
 * @param closeTimeout the time to write unsent output after the client's Close frame
 */
public record WebSocketEndpoint(
        String path, Set<String> origins, Limit maximumFrameBytes, TrustedNetworks trusted, Duration closeTimeout) {
    public WebSocketEndpoint {
        origins = Set.copyOf(origins);
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path is " + path + ": begin it with a slash");
        }
        if (maximumFrameBytes.value() < 1) {
            throw new IllegalArgumentException("maximum frame size must be positive");
        }
    }
}
