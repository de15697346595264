package io.heddle.transport.pipeline;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.transport.codec.PacketBytes;
import io.heddle.transport.testkit.RecordingSessions;
import io.netty.buffer.ByteBufUtil;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The PROXY protocol, through the whole pipeline. The address of the connection is 10.0.0.9. */
final class ProxyProtocolTest {
    private static final byte[] CONNECT = PacketBytes.of("10 { <MQTT> 05 02 000A {} <c> }");
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    private static byte[] behind(byte[] header) {
        return WebSocketFrames.join(header, CONNECT);
    }

    private static String address(Wire wire) {
        InetSocketAddress address =
                (InetSocketAddress) wire.sessions.only().connection().remoteAddress();
        return address.getAddress().getHostAddress() + " " + address.getPort();
    }

    @ParameterizedTest
    @CsvSource({
        "'PROXY TCP4 192.0.2.7 10.0.0.1 5001 1883', 192.0.2.7 5001",
        "'PROXY TCP6 2001:db8::1 2001:db8::2 5001 1883', 2001:db8:0:0:0:0:0:1 5001",
        "'PROXY UNKNOWN', 10.0.0.9 4711",
    })
    void version1HasTheAddressOfTheClient(String header, String expected) {
        try (Wire wire = Wire.behindProxies(new RecordingSessions(), "10.0.0.0/8")) {
            wire.receive(behind((header + "\r\n").getBytes(US_ASCII)));

            assertThat(address(wire)).isEqualTo(expected);
            assertThat(wire.sent()).isEqualTo("2003000000");
            assertThat(wire.channel.pipeline().names()).noneMatch(name -> name.startsWith("proxy"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "21 11 000c c0000207 0a000001 1389 075b, 192.0.2.7 5001",
        "21 21 0024 20010db8000000000000000000000001 20010db8000000000000000000000002 1389 075b,"
                + " 2001:db8:0:0:0:0:0:1 5001",
        "20 00 0000, 10.0.0.9 4711",
        "20 11 000c c0000207 0a000001 1389 075b, 10.0.0.9 4711",
        "21 11 0013 c0000207 0a000001 1389 075b 04 0004 00000000, 192.0.2.7 5001",
    })
    void version2HasTheAddressOfTheClientUnlessItIsAHealthCheck(String header, String expected) {
        try (Wire wire = Wire.behindProxies(new RecordingSessions(), "10.0.0.9")) {
            for (byte each : behind(ByteBufUtil.decodeHexDump(SIGNATURE + header.replace(" ", "")))) {
                wire.receive(each);
            }

            assertThat(address(wire)).isEqualTo(expected);
            assertThat(wire.sent()).isEqualTo("2003000000");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY TCP4 192.0.2.7\r\n",
                "PROXY TCP4 192.0.2.777 10.0.0.1 5001 1883\r\n",
                "PROXY TCP4 192.0.2.7 10.0.0.1 99999 1883\r\n",
                "PROXY TCP6 fe80::1%nowhere ::1 5001 1883\r\n",
                "POST /mqtt HTTP/1.1\r\nHost: broker\r\n\r\n",
                "\r\n\r\n\0\r\nQUIT\n1\u0011\0\u0004aaaa",
            })
    void malformedHeadersAreRefused(String header) {
        refused(header.getBytes(US_ASCII));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // An extension that is longer than the header.
                "21 11 0013 c0000207 0a000001 1389 075b 04 ffff 00000000",
                "21 11 0004 c0000207",
                "22 11 000c c0000207 0a000001 1389 075b",
            })
    void malformedHeadersOfVersion2AreRefused(String header) {
        refused(ByteBufUtil.decodeHexDump(SIGNATURE + header.replace(" ", "")));
    }

    @Test
    void aHeaderWithoutEndIsRefused() {
        refused(("PROXY TCP4 " + "1".repeat(200)).getBytes(US_ASCII));
    }

    @Test
    void aConnectionWithoutAHeaderIsRefusedAtOnce() {
        refused(CONNECT);
    }

    private static void refused(byte... bytes) {
        try (Wire wire = Wire.behindProxies(new RecordingSessions(), "10.0.0.0/8")) {
            wire.receive(bytes);

            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.sent()).isEmpty();
            assertThat(wire.sessions.attempts()).isEmpty();
            assertThat(wire.count("heddle.listener.refused", "reason", "proxy_header"))
                    .isEqualTo(1);
            assertThat(wire.count("heddle.transport.faults")).isZero();
        }
    }

    @Test
    void aHealthCheckWithoutAHeaderIsNotCounted() {
        try (Wire wire = Wire.behindProxies(new RecordingSessions(), "10.0.0.0/8")) {
            var _ = wire.channel.close();
            wire.channel.runPendingTasks();

            assertThat(wire.count("heddle.listener.refused", "reason", "proxy_header"))
                    .isZero();
            assertThat(wire.count("heddle.connections.closed")).isEqualTo(1);
        }
    }

    @Test
    void connectionsOfOthersAreClosedAtOnce() {
        try (Wire wire = Wire.behindProxies(new RecordingSessions(), "10.0.0.8/32", "fd00::/8")) {
            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.count("heddle.listener.refused", "reason", "untrusted_proxy"))
                    .isEqualTo(1);
            assertThat(wire.count("heddle.connections.opened")).isZero();
        }
    }

    @Test
    void aHeaderOnAnOrdinaryListenerIsRefused() {
        try (Wire wire = new Wire(new RecordingSessions())) {
            wire.receive(behind("PROXY TCP4 192.0.2.7 10.0.0.1 5001 1883\r\n".getBytes(US_ASCII)));

            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.count("heddle.listener.refused", "reason", "foreign_protocol"))
                    .isEqualTo(1);
        }
    }
}
