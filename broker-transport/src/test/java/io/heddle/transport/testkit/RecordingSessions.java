package io.heddle.transport.testkit;

import io.heddle.core.client.Connection;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.transport.connection.Sessions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A fake of core that records each CONNECT and packet. Accepts immediately, or when the test says so. Any thread may read the
 * records; everything else runs on the event loops.
 */
public final class RecordingSessions implements Sessions {
    private final List<Attempt> attempts = new CopyOnWriteArrayList<>();
    private volatile boolean waiting;
    private volatile BiConsumer<Connection, MqttPacket> answer = (connection, packet) -> {};

    /** One CONNECT and its session. */
    public static final class Attempt implements Session {
        private final Connection connection;
        private final ConnectPacket packet;
        private final Consumer<Session> established;
        private final BiConsumer<Connection, MqttPacket> answer;
        private final List<MqttPacket> received = new CopyOnWriteArrayList<>();
        private final AtomicInteger lost = new AtomicInteger();
        private final AtomicInteger writable = new AtomicInteger();
        private volatile @Nullable MqttPacket sentWhenWritable;
        private volatile @Nullable DisconnectCause lostBecause;

        private Attempt(
                Connection connection,
                ConnectPacket packet,
                Consumer<Session> established,
                BiConsumer<Connection, MqttPacket> answer) {
            this.connection = connection;
            this.packet = packet;
            this.established = established;
            this.answer = answer;
        }

        /** Sends CONNACK and passes on the session, as core does. Event loop only. */
        public void accept() {
            connection.send(new ConnAckPacket(false, ReasonCode.SUCCESS, ConnAckProperties.NONE));
            established.accept(this);
        }

        /** Challenges the client, whose next packet goes to the exchange. Event loop only. */
        public void challenge(Session exchange) {
            connection.send(new AuthPacket(ReasonCode.CONTINUE_AUTHENTICATION, "M", null, null, List.of()));
            established.accept(exchange);
        }

        /** Sends a CONNACK with an error and closes, as core does. Event loop only. */
        public void refuse(ReasonCode reason) {
            connection.send(new ConnAckPacket(false, reason, ConnAckProperties.NONE));
            connection.close();
        }

        @Override
        public @Nullable String userName() {
            return packet.userName();
        }

        @Override
        public void receive(MqttPacket packet) {
            received.add(packet);
            answer.accept(connection, packet);
        }

        /** Sets the packet that the session sends when its connection becomes writable. */
        public void sendWhenWritable(MqttPacket packet) {
            sentWhenWritable = packet;
        }

        @Override
        public void onUnwritable() {
            connection.eventLoop().assertCurrent();
        }

        @Override
        public void onWritable() {
            connection.eventLoop().assertCurrent();
            writable.incrementAndGet();
            MqttPacket packet = sentWhenWritable;
            if (packet != null) {
                connection.send(packet);
            }
        }

        @Override
        public void onConnectionLost(DisconnectCause cause) {
            lostBecause = cause;
            lost.incrementAndGet();
        }

        /** Returns why its connection was closed; null before. */
        public @Nullable DisconnectCause lostBecause() {
            return lostBecause;
        }

        public Connection connection() {
            return connection;
        }

        public ConnectPacket packet() {
            return packet;
        }

        public List<MqttPacket> received() {
            return received;
        }

        /** Returns how often the session was notified that its connection is writable again. */
        public int writableCount() {
            return writable.get();
        }

        /** Returns how often the session was notified that its connection is closed. */
        public int lostCount() {
            return lost.get();
        }
    }

    /** Delays the answer to a CONNECT until the test calls {@link Attempt#accept}. */
    public RecordingSessions thatWait() {
        waiting = true;
        return this;
    }

    /** Sets the action of a session for each packet; it may throw. */
    public RecordingSessions thatAnswer(BiConsumer<Connection, MqttPacket> answer) {
        this.answer = answer;
        return this;
    }

    @Override
    public void connect(Connection connection, ConnectPacket packet, Consumer<Session> established) {
        connection.eventLoop().assertCurrent();
        Attempt attempt = new Attempt(connection, packet, established, answer);
        attempts.add(attempt);
        if (!waiting) {
            attempt.accept();
        }
    }

    /** Returns every CONNECT so far. */
    public List<Attempt> attempts() {
        return attempts;
    }

    /** Returns the only CONNECT. */
    public Attempt only() {
        if (attempts.size() != 1) {
            throw new AssertionError("expected one CONNECT, but there were " + attempts.size());
        }
        return attempts.getFirst();
    }
}
