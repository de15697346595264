package io.heddle.transport.pipeline;

import static io.heddle.transport.pipeline.WebSocketFrames.packets;
import static io.heddle.transport.pipeline.WebSocketFrames.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.transport.testkit.RecordingSessions;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** X-Forwarded-For, through the whole pipeline. The address of the connection is 10.0.0.9. */
final class ForwardedAddressTest {
    @Test
    void theAddressComesFromATrustedProxyOnly() {
        assertThat(addressOf("10.0.0.9", "X-Forwarded-For: 192.0.2.7")).isEqualTo("192.0.2.7");
        assertThat(addressOf("10.0.0.0/8", "X-Forwarded-For: 6.6.6.6, 192.0.2.7, 10.1.1.1"))
                .isEqualTo("192.0.2.7");
        assertThat(addressOf("10.0.0.0/8", "X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 2001:db8::1"))
                .isEqualTo("2001:db8:0:0:0:0:0:1");
        assertThat(addressOf("10.0.0.0/8", "X: y")).isEqualTo("10.0.0.9");
        assertThat(addressOf("172.16.0.0/12", "X-Forwarded-For: 192.0.2.7")).isEqualTo("10.0.0.9");
    }

    private static String addressOf(String trusted, String header) {
        try (Wire wire = Wire.ofWebSocket(new RecordingSessions(), WebSocketTest.endpoint(trusted))) {
            wire.receive(request("/mqtt", WebSocketTest.MQTT, header).getBytes(UTF_8));
            wire.receive(packets(WebSocketTest.CONNECT));
            InetSocketAddress address =
                    (InetSocketAddress) wire.sessions.only().connection().remoteAddress();
            return address.getAddress().getHostAddress();
        }
    }

    @Test
    void aMalformedHeaderOfATrustedProxyIsRefused() {
        try (Wire wire = Wire.ofWebSocket(new RecordingSessions(), WebSocketTest.endpoint("10.0.0.9"))) {
            wire.receive(request("/mqtt", WebSocketTest.MQTT, "X-Forwarded-For: unknown")
                    .getBytes(UTF_8));

            assertThat(WebSocketTest.text(wire)).startsWith("HTTP/1.1 400 ");
            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.count("heddle.listener.refused", "reason", "proxy_header"))
                    .isEqualTo(1);
        }
    }
}
