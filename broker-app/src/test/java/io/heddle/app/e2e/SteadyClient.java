package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.mqtt.MqttConnectReturnCode;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttReasonCodeAndPropertiesVariableHeader;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A client with a persistent session that connects again as soon as its connection ends. Its own thread connects, sends and reads until the
 * behaviour has nothing more to do. The other methods belong to the test thread.
 */
final class SteadyClient implements AutoCloseable {
    /** Decides what the client sends. Called on the client's thread. */
    interface Behaviour {
        /** Returns true when the client must read the next packet, or false when it has nothing more to do. */
        boolean onTurn(RawClient client);

        void onPacket(MqttMessage packet, RawClient client);

        /** The client has resumed its session. */
        void onResumed(RawClient client);
    }

    /** Longer than any fault of the tests. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Set<MqttConnectReturnCode> TRY_AGAIN = EnumSet.of(
            MqttConnectReturnCode.CONNECTION_REFUSED_SERVER_UNAVAILABLE,
            MqttConnectReturnCode.CONNECTION_REFUSED_SERVER_UNAVAILABLE_5,
            MqttConnectReturnCode.CONNECTION_REFUSED_SERVER_BUSY);

    private static final long RETRY_NANOS = Duration.ofMillis(10).toNanos();

    private final RawConnect connect;
    private final IntSupplier port;
    private final Behaviour behaviour;
    private final FutureTask<Void> task = new FutureTask<>(this::run, null);
    private final List<String> lost = new CopyOnWriteArrayList<>();
    private volatile long connAckNanos;
    private volatile Duration longestAbsence = Duration.ZERO;
    private volatile boolean closed;
    private volatile @Nullable RawClient current;

    /** @param port of the broker that serves; asked before each attempt to connect */
    SteadyClient(RawConnect connect, IntSupplier port, Behaviour behaviour) {
        this.connect = connect.answersWithin(PATIENCE);
        this.port = port;
        this.behaviour = behaviour;
    }

    /** Returns the CONNECT of a persistent session. */
    static RawConnect persistent(DeliveryPath path) {
        return new RawConnect(path.newClientId()).persistent(3_600);
    }

    String clientId() {
        return connect.clientId();
    }

    void start() {
        Thread.ofVirtual().name("steady-client-" + connect.clientId()).start(task);
    }

    /** Returns why each connection ended that this client did not end itself. */
    List<String> lostConnections() {
        return List.copyOf(lost);
    }

    /** Returns the longest time from the end of a connection to the next CONNACK. */
    Duration longestAbsence() {
        return longestAbsence;
    }

    /** Fails if the client has failed. */
    void requireHealthy() throws Exception {
        if (task.isDone()) {
            task.get();
        }
    }

    /** Waits until the client has nothing more to do. */
    void awaitDone() throws Exception {
        try {
            task.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(connect.clientId() + " is not done within " + PATIENCE + FailureReport.text(), e);
        }
    }

    /** Ends a client that still runs because a test has failed. */
    @Override
    public void close() {
        closed = true;
        RawClient open = current;
        if (open != null) {
            open.close();
        }
    }

    private void run() {
        RawClient client = connect();
        while (true) {
            try (RawClient connection = client) {
                current = connection;
                while (!closed && behaviour.onTurn(connection)) {
                    behaviour.onPacket(nextOf(connection), connection);
                }
                connection.disconnect((byte) 0);
                return;
            } catch (IOException e) {
                lost.add(e.toString());
            } catch (UncheckedIOException e) {
                lost.add(String.valueOf(e.getCause()));
            }
            if (closed) {
                return;
            }
            long lostNanos = System.nanoTime();
            client = connect();
            Duration absence = Duration.ofNanos(connAckNanos - lostNanos);
            longestAbsence = absence.compareTo(longestAbsence) > 0 ? absence : longestAbsence;
            assertThat(client.sessionPresent())
                    .as("the session of %s", connect.clientId())
                    .isTrue();
            behaviour.onResumed(client);
        }
    }

    private static MqttMessage nextOf(RawClient client) throws IOException {
        MqttMessage packet = client.next();
        if (packet.fixedHeader().messageType() == MqttMessageType.DISCONNECT) {
            int reason = packet.variableHeader() instanceof MqttReasonCodeAndPropertiesVariableHeader header
                    ? Byte.toUnsignedInt(header.reasonCode())
                    : 0;
            throw new EOFException("DISCONNECT with reason code " + reason);
        }
        return packet;
    }

    private RawClient connect() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                RawClient client = connect.open(port.getAsInt());
                connAckNanos = System.nanoTime();
                return client;
            } catch (UncheckedIOException e) {
                pauseAfter(e, deadline);
            } catch (RefusedConnect e) {
                // A node that takes over refuses clients that it cannot serve within its limit.
                if (!TRY_AGAIN.contains(e.code())) {
                    throw e;
                }
                pauseAfter(e, deadline);
            }
        }
    }

    private <E extends Throwable> void pauseAfter(E failure, long deadline) throws E {
        if (closed || System.nanoTime() - deadline >= 0) {
            throw failure;
        }
        LockSupport.parkNanos(RETRY_NANOS);
    }
}
