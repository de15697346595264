package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PublishPacket;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link Connection}. The peer has connected with MQTT 5.0 and reads, unless a test says otherwise. Tests send
 * PUBLISH packets at QoS 0 and distinguish them by topic.
 */
public abstract class ConnectionContract {
    private static final int LARGE_BYTES = 16 * 1024;
    private static final int UNREAD_PACKETS = 10_000;

    /** Returns the connection under test, open and the same throughout a test. */
    protected abstract Connection connection();

    /** Runs a task on the connection's event loop, waits for it and rethrows its exception. */
    protected abstract void onLoop(Runnable task);

    /** Waits until the condition, evaluated on any thread, holds; fails after about ten seconds. */
    protected abstract void await(BooleanSupplier condition);

    /** Returns the topics of the PUBLISH packets that the client has read so far, in order. Any thread. */
    protected abstract List<String> topicsRead();

    /** Sets the client's Maximum Packet Size. */
    protected abstract void limitPacketsTo(int bytes);

    /** Makes the client stop reading while it stays connected. */
    protected abstract void stopReading();

    /** Undoes {@link #stopReading}. */
    protected abstract void resumeReading();

    /** Disconnects the client without DISCONNECT. */
    protected abstract void loseClient();

    @Test
    void openConnectionKnowsItsOwnerAndItsClient() {
        onLoop(() -> {
            assertThat(connection().isOpen()).isTrue();
            assertThat(connection().isWritable()).isTrue();
            assertThat(connection().eventLoop().isCurrent()).isTrue();
            assertThat(connection().remoteAddress()).isNotNull();
        });
    }

    @Test
    void packetsArriveInTheOrderTheyWereSent() {
        onLoop(() -> {
            assertThat(send("a", 10)).isTrue();
            assertThat(send("b", LARGE_BYTES)).isTrue();
        });
        onLoop(() -> assertThat(send("c", 0)).isTrue());
        await(() -> topicsRead().size() == 3);

        assertThat(topicsRead()).containsExactly("a", "b", "c");
    }

    @Test
    void methodsOfTheOwnerThrowOnOtherThreads() throws Exception {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread stranger = Thread.ofPlatform().name("connection-contract").unstarted(() -> {
            assertThatThrownBy(() -> send("a", 10)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection().close()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection().reject(violation())).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection().isWritable()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection().hasRoomFor(BinaryData.EMPTY))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection().isCongested()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection().takesOutput()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection().unfinishedBytes()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection().pauseReading()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection().resumeReading()).isInstanceOf(IllegalStateException.class);
        });
        stranger.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
        stranger.start();
        stranger.join();

        assertThat(failure.get()).isNull();
        onLoop(() -> {
            assertThat(connection().isOpen()).isTrue();
            assertThat(send("b", 10)).isTrue();
        });
        await(() -> !topicsRead().isEmpty());
        assertThat(topicsRead()).containsExactly("b");
    }

    @Test
    void packetsSentBeforeCloseArrive() {
        onLoop(() -> {
            send("a", LARGE_BYTES);
            send("b", 10);
            connection().close();
        });
        await(() -> topicsRead().size() == 2);

        assertThat(topicsRead()).containsExactly("a", "b");
    }

    @Test
    void closedConnectionSendsNothing() {
        onLoop(() -> {
            send("a", 10);
            connection().close();
            connection().close();
            assertThat(connection().isOpen()).isFalse();
            assertThat(send("b", 10)).isFalse();
        });
        await(() -> !topicsRead().isEmpty());

        assertThat(topicsRead()).containsExactly("a");
    }

    @Test
    void aViolationOfAnEarlierTurnClosesTheConnection() {
        onLoop(() -> {
            send("a", 10);
            connection().reject(violation());
            connection().reject(violation());
            assertThat(connection().isOpen()).isFalse();
        });
        await(() -> !topicsRead().isEmpty());

        assertThat(topicsRead()).containsExactly("a");
    }

    @Test
    void connectionClosedByTheClientSendsNothing() {
        loseClient();
        await(() -> !onLoopIs(() -> connection().isOpen()));

        onLoop(() -> {
            assertThat(send("a", 10)).isFalse();
            connection().close();
        });
        assertThat(topicsRead()).isEmpty();
    }

    @Test
    void packetAboveTheClientsMaximumSizeIsNotSent() {
        limitPacketsTo(1_000);

        onLoop(() -> {
            assertThat(send("a", 1_001)).isFalse();
            assertThat(connection().isOpen()).isTrue();
        });
        assertThat(topicsRead()).isEmpty();
    }

    @Test
    void connectionIsUnwritableWhileTheClientDoesNotRead() {
        stopReading();
        int sent = 0;
        while (sent < UNREAD_PACKETS && onLoopIs(() -> connection().isWritable())) {
            onLoop(() -> send("a", LARGE_BYTES));
            sent++;
        }
        assertThat(sent)
                .as("packets of %d bytes sent while writable", LARGE_BYTES)
                .isLessThan(UNREAD_PACKETS);
        await(() -> !onLoopIs(() -> connection().takesOutput()));

        resumeReading();
        await(() -> onLoopIs(() -> connection().isWritable()));
        onLoop(() -> {
            assertThat(connection().hasRoomFor(BinaryData.EMPTY)).isTrue();
            assertThat(connection().isCongested()).isFalse();
            assertThat(connection().takesOutput()).isTrue();
        });
    }

    private static ProtocolException violation() {
        return new ProtocolException(ReasonCode.PROTOCOL_ERROR, "a violation of the test");
    }

    private boolean send(String topic, int payloadBytes) {
        return connection()
                .send(new PublishPacket(
                        TopicName.parse(topic, 1),
                        PublishPacket.NO_TOPIC_ALIAS,
                        QoS.AT_MOST_ONCE,
                        false,
                        false,
                        PublishPacket.NO_PACKET_ID,
                        PublishProperties.NONE,
                        List.of(),
                        BinaryData.wrap(new byte[payloadBytes])));
    }

    private boolean onLoopIs(BooleanSupplier condition) {
        AtomicBoolean answer = new AtomicBoolean();
        onLoop(() -> answer.set(condition.getAsBoolean()));
        return answer.get();
    }
}
