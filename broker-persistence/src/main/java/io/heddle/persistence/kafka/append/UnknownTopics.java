package io.heddle.persistence.kafka.append;

import io.heddle.core.delivery.log.OrderFence;
import io.heddle.persistence.kafka.KafkaTopics;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The commits that wait until Kafka's clients have the metadata of their topics. Inside a transaction, a record of an unknown topic would
 * block all commits of the lane for seconds. Only the topics of APPLICATION clients are created and deleted; the metadata of all others is
 * known.
 *
 * <p>Commits with the same {@link OrderFence} keep their order. Thread-safe: one lock, held for one step or while a commit is queued.
 * Bounded by {@link PendingAppends}; one thread waits for each topic.
 */
final class UnknownTopics {
    /** The time after which metadata is requested again. Kafka's client forgets it later: {@link LogProducer}. */
    static final Duration KNOWN_FOR = LogProducer.METADATA_IDLE_OF_TEMPORARY_TOPICS.dividedBy(2);

    /** The time after which the commits of a topic that Kafka does not report fail. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Lane lane;
    private final Executor blocking;
    private final LongSupplier nanoTime;
    // Guarded by this.
    private final Map<OrderFence, ArrayDeque<Commit>> waiting = new HashMap<>();
    private final Map<String, Long> knownSinceNanos = new HashMap<>();
    private final Set<String> requested = new HashSet<>();
    private boolean closed;
    // Written under the lock.
    private volatile boolean isWaiting;

    interface Lane {
        /** Requests the metadata of a topic and returns whether it is known. Blocks, on a thread of its own. */
        boolean requestMetadata(String topic);

        /** Queues a commit. Returns the reason when the lane rejects it. Must not call listeners. */
        @Nullable
        RuntimeException enqueue(Commit commit);

        /** Fails a commit that was held back. */
        void fail(Commit commit, Throwable reason);
    }

    private record Failed(Commit commit, RuntimeException reason) {}

    /** @param blocking runs each request for metadata on its own thread */
    UnknownTopics(Lane lane, Executor blocking, LongSupplier nanoTime) {
        this.lane = lane;
        this.blocking = blocking;
        this.nanoTime = nanoTime;
    }

    /** Holds a commit back if it must wait; it is queued or fails later. Returns false when the caller may queue it now. */
    boolean holds(Commit commit) {
        if (!isWaiting && !hasApplicationTopic(commit)) {
            return false;
        }
        synchronized (this) {
            ArrayDeque<Commit> behind = waiting.get(commit.order());
            if (closed || (behind == null && isKnown(commit))) {
                return false;
            }
            if (behind == null) {
                behind = new ArrayDeque<>(1);
                waiting.put(commit.order(), behind);
                isWaiting = true;
            }
            behind.add(commit);
            requestTopics(commit);
            return true;
        }
    }

    private static boolean hasApplicationTopic(Commit commit) {
        for (ProducerRecord<byte[], byte[]> record : commit.records()) {
            if (KafkaTopics.isApplicationTopic(record.topic())) {
                return true;
            }
        }
        return false;
    }

    private boolean isKnown(Commit commit) {
        for (ProducerRecord<byte[], byte[]> record : commit.records()) {
            if (KafkaTopics.isApplicationTopic(record.topic()) && !isKnown(record.topic())) {
                return false;
            }
        }
        return true;
    }

    private boolean isKnown(String topic) {
        Long sinceNanos = knownSinceNanos.get(topic);
        return sinceNanos != null && nanoTime.getAsLong() - sinceNanos < KNOWN_FOR.toNanos();
    }

    private void requestTopics(Commit commit) {
        for (ProducerRecord<byte[], byte[]> record : commit.records()) {
            String topic = record.topic();
            if (KafkaTopics.isApplicationTopic(topic) && !isKnown(topic) && requested.add(topic)) {
                blocking.execute(() -> await(topic));
            }
        }
    }

    private void await(String topic) {
        long startNanos = nanoTime.getAsLong();
        boolean isKnown = lane.requestMetadata(topic);
        while (!isKnown && !isClosed() && nanoTime.getAsLong() - startNanos < PATIENCE.toNanos()) {
            isKnown = lane.requestMetadata(topic);
        }
        onAnswer(topic, isKnown);
    }

    private void onAnswer(String topic, boolean isKnown) {
        List<Failed> failed = new ArrayList<>();
        synchronized (this) {
            requested.remove(topic);
            if (isKnown) {
                knownSinceNanos.values().removeIf(since -> nanoTime.getAsLong() - since >= KNOWN_FOR.toNanos());
                knownSinceNanos.put(topic, nanoTime.getAsLong());
            }
            waiting.values().removeIf(commits -> {
                drain(commits, isKnown ? null : topic, failed);
                return commits.isEmpty();
            });
            isWaiting = !waiting.isEmpty();
        }
        failed.forEach(one -> lane.fail(one.commit(), one.reason()));
    }

    /** @param missing the topic that Kafka does not report, or null */
    private void drain(ArrayDeque<Commit> commits, @Nullable String missing, List<Failed> failed) {
        for (Commit first = commits.peek(); first != null; first = commits.peek()) {
            @Nullable RuntimeException reason;
            if (first.order().isBroken()) {
                reason = new BrokenOrderException();
            } else if (isKnown(first)) {
                reason = lane.enqueue(first);
            } else if (missing != null && writesTo(missing, first)) {
                reason = new TimeoutException("Kafka does not report the metadata of " + missing);
                first.order().breakOff();
            } else {
                // Its topics may have become known and unknown again since it came.
                requestTopics(first);
                return;
            }
            commits.remove();
            if (reason != null) {
                failed.add(new Failed(first, reason));
            }
        }
    }

    private static boolean writesTo(String topic, Commit commit) {
        for (ProducerRecord<byte[], byte[]> record : commit.records()) {
            if (record.topic().equals(topic)) {
                return true;
            }
        }
        return false;
    }

    /** Requests all metadata again when it is next used, because a producer may have been replaced. */
    synchronized void forget() {
        knownSinceNanos.clear();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Holds no commit any more and returns the waiting ones. */
    synchronized List<Commit> close() {
        closed = true;
        List<Commit> left = new ArrayList<>();
        waiting.values().forEach(left::addAll);
        waiting.clear();
        isWaiting = false;
        return left;
    }
}
