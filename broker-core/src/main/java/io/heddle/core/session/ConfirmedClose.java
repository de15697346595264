package io.heddle.core.session;

import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The close of a connection that tells the client that its DISCONNECT is durable. On the event loop of the connection. */
final class ConfirmedClose {
    /** The longest time that a DISCONNECT keeps the connection open when the log does not answer. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private ConfirmedClose() {}

    static void of(Connection connection, CompletionStage<Void> written) {
        EventLoop loop = connection.eventLoop();
        EventLoop.Timer limit = loop.schedule(LIMIT, connection::close);
        written.whenComplete((_, _) -> loop.execute(() -> {
            limit.cancel();
            connection.close();
        }));
    }
}
