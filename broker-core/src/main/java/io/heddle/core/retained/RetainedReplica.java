package io.heddle.core.retained;

import io.heddle.core.FailureLog;
import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.FollowedChanges;
import io.heddle.core.changelog.FollowedPositions;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the log of the retained messages on the thread of the log. Any thread may call the methods.
 *
 * <p>Lookups wait until this node has applied all records that the log had when they were requested ({@link #whenKnown}). The
 * lookups that arrive while the log is asked for its ends are answered with the next question. A node that has read what others had written
 * before it became the only one asks no more. Bound: one wait for each connected session.
 * Metrics: {@code heddle.retained.lookups.wait}, {@code heddle.retained.lookups.waiting}.
 */
public final class RetainedReplica implements RetainedReads {
    private static final Logger logger = LoggerFactory.getLogger(RetainedReplica.class);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(500);

    private final ChangeLog<TopicName, PublishMessage> log;
    private final FollowedChanges<TopicName, PublishMessage> followed;
    private final OtherWriters others;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Timer waited;
    // The last absence of other nodes in which a question was answered.
    private volatile long readInAbsence = OtherWriters.PRESENT;
    // Guarded by this.
    private List<Lookup> next = new ArrayList<>();
    private boolean isAsking;

    private record Lookup(EventLoop eventLoop, long sinceNanos, Runnable task) {}

    /** @param onLost receives one clause for the operator when the log cannot be followed any further */
    public RetainedReplica(
            ChangeLog<TopicName, PublishMessage> log,
            RetainedMessages messages,
            OtherWriters others,
            Consumer<String> onLost,
            MeterRegistry registry) {
        this.log = log;
        this.followed = new FollowedChanges<>(log, messages::apply, onLost);
        this.others = others;
        this.waited = Timer.builder("heddle.retained.lookups.wait")
                .description("New subscriptions, until this node knows the retained messages of all nodes")
                .register(registry);
        Gauge.builder("heddle.retained.lookups.waiting", waiting, AtomicInteger::get)
                .description("Sessions with new subscriptions that wait for the log of retained messages")
                .register(registry);
    }

    /** Starts to follow. Called once. */
    public void follow() {
        followed.follow();
    }

    /** Completes when all changes that the log has at the time of the call are applied. Fails if the log does not answer. */
    public CompletionStage<Void> readToEnd() {
        return followed.readToEnd();
    }

    /** Returns how far the log is applied. */
    public FollowedPositions positions() {
        return followed.positions();
    }

    @Override
    public void whenKnown(EventLoop eventLoop, Runnable task) {
        if (isOnlyWriter()) {
            task.run();
            return;
        }
        waiting.incrementAndGet();
        synchronized (this) {
            next.add(new Lookup(eventLoop, eventLoop.nanoTime(), task));
            if (isAsking) {
                return;
            }
            isAsking = true;
        }
        ask();
    }

    private boolean isOnlyWriter() {
        long absence = others.absence();
        return absence != OtherWriters.PRESENT && absence == readInAbsence;
    }

    /** Asks the log for its ends on behalf of all lookups that wait for a question. */
    private void ask() {
        List<Lookup> asking;
        synchronized (this) {
            asking = next;
            next = new ArrayList<>();
        }
        long absence = others.absence();
        log.ends().whenComplete((ends, failure) -> {
            if (ends == null) {
                askLater(asking, failure);
                return;
            }
            followed.positions().whenReached(ends).whenComplete((_, lost) -> {
                if (lost == null) {
                    readInAbsence = absence;
                    asking.forEach(this::answer);
                } else {
                    // The node is over, and closes its connections.
                    waiting.addAndGet(-asking.size());
                }
            });
            synchronized (this) {
                isAsking = !next.isEmpty();
                if (!isAsking) {
                    return;
                }
            }
            ask();
        });
    }

    private void askLater(List<Lookup> asked, Throwable failure) {
        FailureLog.warn(
                logger,
                "Kafka did not report the end of the log of retained messages; new subscriptions wait for their retained messages:"
                        + " waiting=" + waiting.get(),
                failure);
        synchronized (this) {
            asked.addAll(next);
            next = asked;
        }
        var _ = asked.getFirst().eventLoop().schedule(RETRY_PAUSE, this::ask);
    }

    private void answer(Lookup lookup) {
        waiting.decrementAndGet();
        lookup.eventLoop().execute(() -> {
            waited.record(lookup.eventLoop().nanoTime() - lookup.sinceNanos(), TimeUnit.NANOSECONDS);
            lookup.task().run();
        });
    }
}
