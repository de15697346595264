package io.heddle.core.retained;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.changelog.LogFollower;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One partition of the log of retained messages, and nodes that write to it. A test decides about each commit, answer and read. */
final class SharedRetainedLog {
    private final Publications publications;
    private final List<Change<TopicName, PublishMessage>> records = new ArrayList<>();

    SharedRetainedLog(Publications publications) {
        this.publications = publications;
    }

    Node node(RetainedLimits limits) {
        return new Node(limits);
    }

    List<Change<TopicName, PublishMessage>> records() {
        return records;
    }

    /** The last record of each topic, which compaction keeps. */
    SharedRetainedLog compacted() {
        Map<TopicName, Change<TopicName, PublishMessage>> last = new LinkedHashMap<>();
        for (Change<TopicName, PublishMessage> record : records) {
            last.remove(record.key());
            last.put(record.key(), record);
        }
        SharedRetainedLog compacted = new SharedRetainedLog(publications);
        last.values().stream().filter(record -> record.value() != null).forEach(compacted.records::add);
        return compacted;
    }

    /** Whether a record of a topic has this payload, from an offset on; a removal and an expired message have none. */
    boolean hasFrom(long offset, TopicName topic, String payload) {
        for (Change<TopicName, PublishMessage> record : records.subList((int) offset, records.size())) {
            if (record.key().equals(topic) && payload.equals(visiblePayload(record))) {
                return true;
            }
        }
        return false;
    }

    private String visiblePayload(Change<TopicName, PublishMessage> record) {
        PublishMessage value = record.value();
        if (value == null || (value.canExpire() && value.isExpiredAt(publications.clock.millis()))) {
            return "";
        }
        return Publications.text(value);
    }

    /** The fate of a commit. */
    enum Outcome {
        COMMITTED,
        FAILED,
        /** Stored, but the node is told that it has failed. */
        UNKNOWN
    }

    /** A node. Its commits are stored and answered in their order, and its own records are read like those of others. */
    final class Node implements ChangeLog<TopicName, PublishMessage> {
        final RetainedMessages messages;
        private final ArrayDeque<Commit> commits = new ArrayDeque<>();
        private final ArrayDeque<Runnable> answers = new ArrayDeque<>();
        private final Map<TopicName, Long> acknowledged = new LinkedHashMap<>();
        // Records whose outcome the node does not know.
        private final List<Change<TopicName, PublishMessage>> inFlight = new ArrayList<>();
        private int next;

        private record Commit(
                Change<TopicName, PublishMessage> record,
                @Nullable RetainedChange change,
                CompletableFuture<Void> done) {}

        private Node(RetainedLimits limits) {
            messages = publications.retained(limits);
        }

        /** Makes a change visible and queues its commit. Returns whether it was admitted. */
        boolean publish(PublishMessage message) {
            RetainedChange change = messages.change(message, (_, _) -> {});
            if (change == null) {
                return false;
            }
            Change<TopicName, PublishMessage> record = new Change<>(message.topic(), change.removes() ? null : message);
            commits.add(new Commit(record, change, new CompletableFuture<>()));
            inFlight.add(record);
            return true;
        }

        @Override
        public CompletionStage<Void> append(Change<TopicName, PublishMessage> change) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            commits.add(new Commit(change, null, done));
            return done;
        }

        @Override
        public void follow(LogFollower<Change<TopicName, PublishMessage>> follower) {
            throw new UnsupportedOperationException("the test reads");
        }

        @Override
        public CompletionStage<List<Long>> ends() {
            return CompletableFuture.completedFuture(List.of((long) records.size()));
        }

        boolean hasCommits() {
            return !commits.isEmpty();
        }

        /** Decides about the oldest commit. The node learns it with {@link #answer}. Returns the offset, or -1. */
        long commit(Outcome outcome) {
            Commit oldest = commits.remove();
            long offset = records.size();
            if (outcome != Outcome.FAILED) {
                records.add(oldest.record());
            }
            boolean isDurable = outcome == Outcome.COMMITTED;
            answers.add(() -> {
                RetainedChange change = oldest.change();
                if (change != null) {
                    inFlight.remove(oldest.record());
                }
                if (change != null && isDurable) {
                    change.storedAt(offset);
                    change.appended();
                    acknowledged.put(oldest.record().key(), offset);
                } else if (change != null) {
                    change.failed();
                } else if (isDurable) {
                    oldest.done().complete(null);
                } else {
                    oldest.done().completeExceptionally(new IllegalStateException("failed"));
                }
            });
            return outcome == Outcome.FAILED ? -1 : offset;
        }

        /** Passes the oldest outcome on. Returns whether there was one. */
        boolean answer() {
            Runnable oldest = answers.poll();
            if (oldest != null) {
                oldest.run();
            }
            return oldest != null;
        }

        /** Applies the next record. Returns whether there was one. */
        boolean read() {
            if (next >= records.size()) {
                return false;
            }
            messages.apply(Objects.requireNonNull(records.get(next)), next);
            next++;
            return true;
        }

        /** Stores, answers and reads everything. */
        void settle() {
            while (hasCommits()) {
                commit(Outcome.COMMITTED);
            }
            while (answer() || read()) {
                // Until the node is idle.
            }
        }

        /** The offsets of the last acknowledged messages. */
        Map<TopicName, Long> acknowledged() {
            return acknowledged;
        }

        /** Whether a change of a topic has this payload, and its outcome is not known; an expired one has none. */
        boolean isInFlight(TopicName topic, String payload) {
            for (Change<TopicName, PublishMessage> record : inFlight) {
                if (record.key().equals(topic) && payload.equals(visiblePayload(record))) {
                    return true;
                }
            }
            return false;
        }

        List<String> found() {
            return Publications.found(messages, "#");
        }
    }
}
