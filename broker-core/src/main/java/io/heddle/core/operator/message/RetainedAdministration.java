package io.heddle.core.operator.message;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.publish.RetainedRemoval;
import io.heddle.core.retained.RetainedCursor;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.retained.RetainedReads;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lists and removes retained messages for administrators. Each node has all of them in memory. Thread-safe; blocks its callers, so not on an
 * event loop.
 *
 * <p>Bounds: a page examines {@value #MAXIMUM_VISITS} nodes of the trie. A removal of many messages ends after {@value #MAXIMUM_REMOVALS}
 * messages or {@value #REMOVAL_SECONDS} seconds, and has {@value #REMOVALS_IN_FLIGHT} commits in flight.
 */
public final class RetainedAdministration {
    static final int MAXIMUM_VISITS = 200_000;
    static final int MAXIMUM_REMOVALS = 100_000;
    private static final int REMOVAL_SECONDS = 20;
    private static final int REMOVALS_IN_FLIGHT = 256;
    private static final int VISITS_AT_ONCE = 1_000;
    /** As for SUBACK: the log may be away for long, and then the commits fail. */
    private static final Duration READ_LIMIT = Duration.ofSeconds(2);

    private final RetainedMessages retained;
    private final RetainedReads reads;
    private final RetainedRemoval removal;
    private final EventLoop loop;
    private final SteadyClock clock;
    private final Counter removed;

    /** @param loop on which the log of the retained messages is asked for its end */
    public RetainedAdministration(
            RetainedMessages retained,
            RetainedReads reads,
            RetainedRemoval removal,
            EventLoop loop,
            SteadyClock clock,
            MeterRegistry registry) {
        this.retained = retained;
        this.reads = reads;
        this.removal = removal;
        this.loop = loop;
        this.clock = clock;
        this.removed = registry.counter("heddle.retained.removed.by.administrators");
    }

    /**
     * Returns the next messages that match a filter.
     *
     * @param filter not of a shared subscription; wildcards in its first level do not match topics that begin with {@code $}
     * @param after the topic behind which the page begins, or null for the first page
     * @param limit the maximum number of messages, at least 1
     */
    public RetainedPage list(TopicFilter filter, @Nullable TopicName after, int limit) {
        RetainedCursor cursor = after == null ? retained.matching(filter) : retained.matching(filter, after);
        List<PublishMessage> found = new ArrayList<>(Math.min(limit, VISITS_AT_ONCE));
        while (!cursor.isDone() && cursor.visited() < MAXIMUM_VISITS && found.size() < limit) {
            PublishMessage message = cursor.next(VISITS_AT_ONCE);
            if (message != null) {
                found.add(message);
            }
        }
        PublishMessage last = found.size() < limit ? cursor.nextToPosition() : null;
        if (last != null) {
            found.add(last);
        }
        if (cursor.isDone()) {
            return new RetainedPage(found, null);
        }
        return new RetainedPage(found, cursor.position());
    }

    /** Returns the unexpired message of a topic, with RETAIN, or null. */
    public @Nullable PublishMessage find(TopicName topic) {
        return retained.find(topic);
    }

    /**
     * Removes the retained message of a topic on all nodes. Subscribers receive nothing.
     *
     * @return whether there was one
     * @throws StoreUnavailableException if the removal is not durable within ten seconds; it may still become so
     */
    public boolean remove(TopicName topic, ClientId administrator) {
        awaitKnown();
        if (retained.find(topic) == null) {
            return false;
        }
        Answers.await(
                removal.remove(topic, administrator),
                "the removal of a retained message",
                StoreUnavailableException::kafka);
        removed.increment();
        return true;
    }

    /**
     * Removes the retained messages that match a filter on all nodes, those that are published meanwhile perhaps.
     *
     * @throws StoreUnavailableException if a removal is not durable within ten seconds; others may be
     */
    public RetainedRemovals removeMatching(TopicFilter filter, ClientId administrator) {
        awaitKnown();
        long endMillis = clock.millis() + TimeUnit.SECONDS.toMillis(REMOVAL_SECONDS);
        ArrayDeque<CompletionStage<Void>> inFlight = new ArrayDeque<>();
        RetainedCursor cursor = retained.matching(filter);
        int begun = 0;
        while (!cursor.isDone() && begun < MAXIMUM_REMOVALS && clock.millis() < endMillis) {
            PublishMessage message = cursor.next(VISITS_AT_ONCE);
            if (message == null) {
                continue;
            }
            if (inFlight.size() == REMOVALS_IN_FLIGHT) {
                awaitRemoval(inFlight.remove());
            }
            inFlight.add(removal.remove(message.topic(), administrator));
            begun++;
        }
        while (!inFlight.isEmpty()) {
            awaitRemoval(inFlight.remove());
        }
        return new RetainedRemovals(begun, cursor.isDone());
    }

    private void awaitRemoval(CompletionStage<Void> each) {
        Answers.await(each, "the removal of retained messages", StoreUnavailableException::kafka);
        removed.increment();
    }

    /** Waits until this node knows the messages that other nodes have acknowledged, but not for long if the log does not answer. */
    private void awaitKnown() {
        CompletableFuture<Boolean> known = new CompletableFuture<>();
        loop.execute(() -> reads.whenKnown(loop, () -> known.complete(true)));
        Answers.await(
                known.completeOnTimeout(false, READ_LIMIT.toMillis(), TimeUnit.MILLISECONDS),
                "retained messages",
                StoreUnavailableException::kafka);
    }
}
