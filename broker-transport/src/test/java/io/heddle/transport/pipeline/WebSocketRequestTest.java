package io.heddle.transport.pipeline;

import static io.heddle.transport.pipeline.WebSocketFrames.join;
import static io.heddle.transport.pipeline.WebSocketFrames.packets;
import static io.heddle.transport.pipeline.WebSocketFrames.request;
import static io.heddle.transport.pipeline.WebSocketTest.CONNECT;
import static io.heddle.transport.pipeline.WebSocketTest.MQTT;
import static io.heddle.transport.pipeline.WebSocketTest.endpoint;
import static io.heddle.transport.pipeline.WebSocketTest.received;
import static io.heddle.transport.pipeline.WebSocketTest.text;
import static io.heddle.transport.pipeline.WebSocketTest.wire;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.testkit.Conformance;
import io.heddle.transport.testkit.RecordingSessions;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The request for a WebSocket, through the whole pipeline. */
final class WebSocketRequestTest {
    @Conformance(value = "MQTT-6.0.0-4", mqtt311 = "MQTT-6.0.0-4")
    @ParameterizedTest
    @CsvSource({"mqtt, mqtt", "mqttv3.1, mqttv3.1", "'chat, mqtt', mqtt", "'mqttv3.1,mqtt', mqttv3.1"})
    void theServerChoosesASubprotocolOfTheClient(String offered, String chosen) {
        try (Wire wire = wire()) {
            wire.receive(request("/mqtt", "Sec-WebSocket-Protocol: " + offered).getBytes(UTF_8));

            assertThat(text(wire).toLowerCase(Locale.ROOT))
                    .startsWith("http/1.1 101 ")
                    .contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=")
                    .contains("sec-websocket-protocol: " + chosen + "\r\n")
                    .doesNotContain("sec-websocket-extensions");
            assertThat(wire.channel.pipeline().names()).doesNotContain("httpDecoder", "httpEncoder");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        GET /mqtt HTTP/1.1  | Sec-WebSocket-Protocol: chat                        | 400 | the subprotocol mqtt
        GET /mqtt HTTP/1.1  | X: y                                                | 400 | the subprotocol mqtt
        GET /other HTTP/1.1 | Sec-WebSocket-Protocol: mqtt                        | 404 | at the path /mqtt
        GET / HTTP/1.1      | X: y                                                | 404 | at the path /mqtt
        POST /mqtt HTTP/1.1 | Sec-WebSocket-Protocol: mqtt                        | 400 | a GET request
        GET /mqtt HTTP/1.0  | Sec-WebSocket-Protocol: mqtt                        | 400 | a GET request
        GET /mqtt HTTP/1.1  | Origin: https://evil.example                        | 403 | origin
        """)
    void otherRequestsAreRefusedWithASentence(String line, String header, String status, String sentence) {
        try (Wire wire = wire()) {
            String headers = header.startsWith("Origin") ? header + "\r\n" + MQTT : header;
            wire.receive(request("/mqtt", headers)
                    .replace("GET /mqtt HTTP/1.1", line)
                    .getBytes(UTF_8));

            assertThat(text(wire)).startsWith("HTTP/1.1 " + status + " ").contains(sentence);
            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.count("heddle.transport.faults")).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/mqtt,         101",
        "/mqtt/,        101",
        "/ws,           101",
        "/ws/,          101",
        "/mqtt?token=x, 101",
        "/,             101",
        "/wsx,          404"
    })
    void severalPathsAreServedWithOrWithoutASlashAtTheEnd(String path, String status) {
        try (Wire wire = Wire.ofWebSocket(new RecordingSessions(), endpoint(List.of("/mqtt/", "/ws", "/"), Set.of()))) {
            wire.receive(request(path, MQTT).getBytes(UTF_8));

            assertThat(text(wire)).startsWith("HTTP/1.1 " + status + " ");
        }
    }

    @Test
    void aRefusedOriginIsNamedInTheLogWithTheSetting() {
        try (Wire wire = Wire.ofWebSocket(new RecordingSessions(), endpoint(List.of("/mqtt"), Set.of()))) {
            wire.receive(request("/mqtt", MQTT, "Origin: https://evil.example").getBytes(UTF_8));

            assertThat(wire.log.only())
                    .contains("origin=https://evil.example")
                    .contains("the setting of origins")
                    .endsWith("listener=ws");
            assertThat(wire.count("heddle.listener.refused", "reason", "origin"))
                    .isEqualTo(1);
        }
    }

    @Test
    void theVersionTheKeyAndTheUpgradeAreRequired() {
        String valid = request("/mqtt", MQTT);
        assertThat(answer(valid.replace("Version: 13", "Version: 8")))
                .startsWith("HTTP/1.1 426 ")
                .contains("13");
        assertThat(answer(valid.replace("dGhlIHNhbXBsZSBub25jZQ==", "short"))).startsWith("HTTP/1.1 400 ");
        assertThat(answer(valid.replace("Upgrade: websocket\r\n", "")))
                .startsWith("HTTP/1.1 400 ")
                .contains("for WebSocket clients");
        assertThat(answer("GET /" + "x".repeat(2_000) + " HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 414 ");
        assertThat(answer(request("/mqtt", "X: " + "y".repeat(5_000)))).startsWith("HTTP/1.1 431 ");
    }

    private static String answer(String request) {
        try (Wire wire = wire()) {
            wire.receive(request.getBytes(UTF_8));
            String answer = text(wire);
            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.count("heddle.listener.refused", "reason", "http_request"))
                    .isEqualTo(1);
            return answer;
        }
    }

    @Test
    void theConnectTimeoutCoversTheRequest() {
        try (Wire wire = wire()) {
            wire.receive("GET /mqtt HTTP/1.1\r\n".getBytes(UTF_8));
            wire.advance(Wire.CONNECT_TIMEOUT);

            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.count("heddle.connect.timeouts")).isEqualTo(1);
        }
    }

    @Test
    void bytesBehindTheRequestAreFrames() {
        try (Wire wire = wire()) {
            wire.receive(join(request("/mqtt", MQTT).getBytes(UTF_8), packets(CONNECT + "C000")));

            assertThat(received(wire)).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "100c00044d51545404020000000000",
                "16030100c8010000c4",
                "00",
                "50524f58592054435034203139322e302e322e37", // PROXY TCP4 192.0.2.7
                "0d0a0d0a000d0a515549540a2111",
            })
    void otherProtocolsAreRefusedAtOnce(String bytes) {
        try (Wire wire = wire()) {
            wire.receive(ByteBufUtil.decodeHexDump(bytes));

            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.sent()).isEmpty();
            assertThat(wire.count("heddle.listener.refused", "reason", "foreign_protocol"))
                    .isEqualTo(1);
            assertThat(wire.count("heddle.transport.faults")).isZero();
        }
    }
}
