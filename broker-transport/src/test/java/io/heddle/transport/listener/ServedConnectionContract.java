package io.heddle.transport.listener;

import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.testkit.ConnectionContract;
import io.heddle.transport.connection.NettyConnection;
import io.heddle.transport.testkit.RecordingSessions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The contract of {@link Connection} for the connections of one kind of listener, with a client that reads from a socket. */
abstract class ServedConnectionContract extends ConnectionContract {
    private final RecordingSessions sessions = new RecordingSessions();
    private final EventLoops loops = new EventLoops(Transport.AUTO, 1);

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private MqttServer server;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private ReadingClient client;

    /** Returns the listener under test, on a free port of the loopback interface. */
    abstract Listener listener() throws Exception;

    /** Returns a client of the listener that has sent CONNECT. The socket is connected. */
    abstract ReadingClient client(Socket socket) throws Exception;

    @BeforeEach
    void connect() throws Exception {
        Listener listener = listener();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        server = new MqttServer(
                ServerFixture.settings(listener),
                loops,
                sessions,
                new ClientIncidents(System::nanoTime, registry),
                registry);
        server.start(_ -> true);
        client = client(ReadingClient.connect(
                Objects.requireNonNull(server.boundAddresses().get(listener.name()))));
        await(() -> !sessions.attempts().isEmpty());
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        server.stop();
        loops.close();
    }

    @Override
    protected Connection connection() {
        return sessions.only().connection();
    }

    @Override
    protected void onLoop(Runnable task) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        connection().eventLoop().execute(() -> {
            try {
                task.run();
                done.complete(true);
            } catch (RuntimeException | AssertionError thrown) {
                done.completeExceptionally(thrown);
            }
        });
        try {
            done.orTimeout(60, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case AssertionError failed -> throw failed;
                case RuntimeException failed -> throw failed;
                case null, default -> throw e;
            }
        }
    }

    @Override
    protected void await(BooleanSupplier condition) {
        Awaitility.await().atMost(ServerFixture.PATIENCE).until(condition::getAsBoolean);
    }

    @Override
    protected List<String> topicsRead() {
        return client.topics();
    }

    @Override
    protected void limitPacketsTo(int bytes) {
        onLoop(() -> ((NettyConnection) connection())
                .setVersion(
                        MqttVersion.V5,
                        new ConnectProperties(0, 65_535, bytes, 0, false, true, List.of(), null, null)));
    }

    @Override
    protected void stopReading() {
        client.stopReading();
    }

    @Override
    protected void resumeReading() {
        client.resumeReading();
    }

    @Override
    protected void loseClient() {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
