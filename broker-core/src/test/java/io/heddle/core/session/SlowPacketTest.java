package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A client whose packet takes longer than its Keep Alive, because its network is slow. */
final class SlowPacketTest {
    private static final Duration PERIOD = Duration.ofSeconds(15);

    private final TestNode node = new TestNode();
    private final TestClient client =
            node.connect(new Connect("c").keepAlive(10).packet());
    private int arrived;

    /** One and a half Keep Alives pass, in which so many bytes arrive. */
    private void period(int bytes) {
        arrived += bytes;
        client.connection().unfinishedBytes(arrived);
        node.advance(PERIOD);
    }

    @Conformance("MQTT-3.1.2-22")
    @Test
    void aPacketThatMakesProgressKeepsTheConnection() {
        for (int i = 0; i < 20; i++) {
            period(1_000);
            assertThat(client.connection().isOpen()).isTrue();
        }

        period(999);

        assertThat(client.connection().isOpen()).isFalse();
        assertThat(client.disconnected()).containsExactly(ReasonCode.KEEP_ALIVE_TIMEOUT);
        assertThat(node.count("heddle.sessions.keep.alive.timeouts")).isOne();
    }

    @Test
    void aPacketThatNeverEndsIsCutAfterHalfAnHour() {
        int periods = 0;
        while (client.connection().isOpen()) {
            period(1_000_000);
            periods++;
            assertThat(periods).isLessThan(1_000);
        }

        assertThat(PERIOD.multipliedBy(periods)).isEqualTo(Duration.ofMinutes(30));
    }

    @Test
    void eachPacketBeginsAnew() {
        period(5_000);
        client.send(PingReqPacket.INSTANCE);
        arrived = 0;

        period(1_500);
        assertThat(client.connection().isOpen()).isTrue();

        period(0);
        assertThat(client.connection().isOpen()).isFalse();
    }
}
