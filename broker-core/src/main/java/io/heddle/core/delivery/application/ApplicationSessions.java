package io.heddle.core.delivery.application;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.delivery.log.OutboundQueue;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The logs of a node's APPLICATION sessions, and how far each session is in its own. Thread-safe; only {@link #restore} blocks. */
public final class ApplicationSessions {
    private static final Logger log = LoggerFactory.getLogger(ApplicationSessions.class);

    private final ApplicationLogs logs;
    private final ProgressLog progress;

    /**
     * Over these stores.
     *
     * @param progressLog what sessions have acknowledged
     */
    public ApplicationSessions(
            ApplicationLogs logs, ChangeLog<ProgressKey, Progress> progressLog, MeterRegistry metrics) {
        this.logs = logs;
        this.progress = new ProgressLog(progressLog, metrics);
    }

    /**
     * Knows again what there is of these sessions, for the start of a node.
     *
     * @param generations of all APPLICATION sessions, by their clients
     * @throws io.heddle.core.StoreUnavailableException when the stores do not answer
     */
    public void restore(Map<ClientId, Long> generations) {
        progress.replay(generations);
        logs.restore(generations).forEach((clientId, end) -> {
            long generation = generations.getOrDefault(clientId, 0L);
            long lowest = progress.find(clientId, generation).lowest();
            if (lowest > end) {
                log.error(
                        "clientId={} has acknowledged everything below number {} of a log that ends at {}: the log is another one."
                                + " The session goes on with what is there",
                        clientId,
                        lowest,
                        end);
                progress.begin(clientId, generation, 0);
            } else {
                logs.acknowledged(clientId, generation, lowest);
            }
        });
    }

    /**
     * A session begins.
     *
     * @return completes when messages can be appended for it; fails with {@link io.heddle.core.StoreUnavailableException}
     */
    public CompletionStage<Void> begin(ClientId clientId, long generation) {
        return logs.create(clientId, generation).thenAccept(first -> {
            progress.begin(clientId, generation, first);
            // What is there already is not this session's.
            logs.acknowledged(clientId, generation, first);
        });
    }

    /**
     * A session is over, or was not begun after all.
     *
     * @return about how many messages nobody will get
     */
    public CompletionStage<Long> end(ClientId clientId, long generation) {
        Progress last = progress.end(clientId, generation);
        return logs.end(clientId, generation, last == null ? Long.MAX_VALUE : last.lowest());
    }

    /**
     * A feed for a connection that has taken a session.
     *
     * @param maximumSpan how far apart two numbers may be that are sent and not acknowledged
     */
    public ApplicationFeed open(
            ProgressKey key, long maximumSpan, EventLoop eventLoop, OutboundQueue.Listener listener) {
        return new ApplicationFeed(
                logs, progress, key, progress.find(key.clientId(), key.generation()), maximumSpan, eventLoop, listener);
    }
}
