package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KafkaProbeTest {
    @Test
    void requestIsMetadataVersionOneForNoTopic() {
        ByteBuffer request = ByteBuffer.wrap(KafkaProbe.metadataRequest());

        assertThat(request.getInt()).isEqualTo(request.remaining());
        assertThat(request.getShort()).isEqualTo((short) 3);
        assertThat(request.getShort()).isEqualTo((short) 1);
        assertThat(request.getInt()).isEqualTo(1);
        request.position(request.position() + Short.BYTES + "heddle-probe".length());
        assertThat(request.getInt()).isZero();
        assertThat(request.hasRemaining()).isFalse();
    }

    @Test
    void authenticationHasTheMechanismAndTheAccount() {
        assertThat(new String(KafkaProbe.handshakeRequest(), StandardCharsets.US_ASCII))
                .endsWith("heddle-probe\0\5PLAIN");
        assertThat(new String(KafkaProbe.authenticateRequest("secret"), StandardCharsets.US_ASCII))
                .endsWith("heddle-probe\0\0\0\16\0heddle\0secret");
        assertThat(KafkaProbe.isWithoutError(ByteBuffer.wrap(new byte[] {0, 0, 0, 1, 0, 0})))
                .isTrue();
        assertThat(KafkaProbe.isWithoutError(ByteBuffer.wrap(new byte[] {0, 0, 0, 1, 0, 58})))
                .isFalse();
    }

    @Test
    void nodeIsReadyOnlyIfItIsListedAmongTheLiveNodes() {
        assertThat(KafkaProbe.lists(response(1, 0, 2), 2)).isTrue();
        assertThat(KafkaProbe.lists(response(1, 0, 2), 1)).isFalse();
        assertThat(KafkaProbe.lists(response(1), 0)).isFalse();
        assertThat(KafkaProbe.lists(response(7, 0), 0)).isFalse();
    }

    private static ByteBuffer response(int correlation, int... nodes) {
        ByteBuffer response = ByteBuffer.allocate(200);
        byte[] host = "127.0.0.1".getBytes(StandardCharsets.US_ASCII);
        response.putInt(correlation).putInt(nodes.length);
        for (int node : nodes) {
            response.putInt(node).putShort((short) host.length).put(host).putInt(9092);
            // No rack.
            response.putShort((short) -1);
        }
        return response.flip();
    }
}
