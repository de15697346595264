package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.quota.ExceededLimit;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The retained message of each topic on this node.
 *
 * <p>Thread-safe. One lock serializes writers; it is held while one message is stored or removed, never while the trie is searched for an
 * existing topic, and never while calling out. Of two publishers on one topic, the last to get the lock wins. Readers are lock-free and see
 * the old message or the new one, each complete. Bounded by {@link RetainedLimits}, or by the messages of the log if they exceed the
 * limits: they are applied. Other messages above a limit are not retained, which is counted, and nothing is evicted.
 *
 * <p>A {@link RetainedChange} is visible immediately and rolled back if its commit fails. An expired message is removed here and from the
 * log. Its removal is passed to the log, which does not block, while the lock is held, so that a later message is committed after it.
 *
 * <p>Storing a message is idempotent.
 */
@HotPath
public final class RetainedMessages {
    /** The maximum number of removals of expired messages in flight. */
    private static final int MAXIMUM_PENDING_REMOVALS = 1_000;

    private static final long RETRY_PAUSE_MILLIS = 1_000;
    private static final TopicFilter EVERYTHING = TopicFilter.parse("#", 1);

    private final RetainedLimits limits;
    private final SteadyClock clock;
    private final RetainedTrie trie = new RetainedTrie();
    private final RetainedMetrics metrics;

    /** Serializes writers. */
    private final Object writeLock = new Object();
    // Guarded by the write lock. At most one entry per message; empty without a limit per client.
    private final Map<ClientId, Integer> topicsByCreator = new HashMap<>();
    // Guarded by the write lock: topics with commits in flight.
    private final Map<TopicName, TopicChanges> changing = new HashMap<>();
    // Guarded by the write lock.
    private int pendingRemovals;
    private long nextRemovalMillis;
    private int largestAppliedBytes;
    // Written under the write lock, read by any thread.
    private final AtomicInteger messages = new AtomicInteger();
    private final AtomicInteger expiring = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** Serializes sweeps for expired messages. Lock order: this lock before the write lock. */
    private final Object housekeeping = new Object();

    private @Nullable TrieCursor sweep;
    private final TopicText sweptTopic = new TopicText();

    /** Creates an empty store. */
    public RetainedMessages(RetainedLimits limits, SteadyClock clock, MeterRegistry registry) {
        this.limits = limits;
        this.clock = clock;
        this.metrics = new RetainedMetrics(registry);
        registry.gauge("heddle.retained.messages", messages);
        registry.gauge("heddle.retained.bytes", bytes);
    }

    /**
     * Stores a message as the retained message of its topic [MQTT-3.3.1-5]. A message without payload [MQTT-3.3.1-6] or an
     * expired one removes it instead.
     *
     * @param message with RETAIN
     */
    public RetainOutcome store(PublishMessage message) {
        RetainOutcome outcome;
        if (message.payload().length() == 0 || (message.canExpire() && message.isExpiredAt(clock.millis()))) {
            outcome = remove(message.topic());
        } else if (message.payload().length() > limits.maximumPayloadBytes()) {
            outcome = RetainOutcome.Refused.MAXIMUM_PAYLOAD;
        } else {
            outcome = keep(message);
        }
        metrics.count(outcome);
        return outcome;
    }

    /**
     * Stores a message that is about to be committed to the log.
     *
     * @return null if it exceeds a limit; otherwise the caller must report the outcome of the commit
     */
    public @Nullable RetainedChange change(PublishMessage message) {
        TopicName topic = message.topic();
        synchronized (writeLock) {
            RetainedMessage before = at(trie.find(topic));
            if (store(message) instanceof RetainOutcome.Refused) {
                return null;
            }
            TopicChanges changes = changing.get(topic);
            if (changes == null) {
                changes = new TopicChanges(before);
                changing.put(topic, changes);
            }
            return changes.add(this, topic, at(trie.find(topic)));
        }
    }

    private static @Nullable RetainedMessage at(@Nullable TopicNode node) {
        return node == null ? null : node.message;
    }

    /**
     * Applies a change of the log, regardless of the limits: the node that committed it has admitted it. Expired messages are applied too,
     * so that {@link #expireSome} removes them from the log. The first publisher of a topic in the log counts as its creator.
     *
     * @param message null if the retained message of the topic was removed
     */
    public void apply(TopicName topic, @Nullable PublishMessage message) {
        synchronized (writeLock) {
            if (message == null) {
                put(topic, null);
                return;
            }
            RetainedMessage before = at(trie.find(topic));
            put(topic, new RetainedMessage(message, before == null ? message.publisher() : before.creator));
            largestAppliedBytes =
                    Math.max(largestAppliedBytes, message.payload().length());
        }
    }

    /** Returns the limits that the applied messages exceed. */
    public List<ExceededLimit> exceededLimits() {
        List<ExceededLimit> exceeded = new ArrayList<>();
        synchronized (writeLock) {
            ExceededLimit.check(exceeded, "heddle.retained.maximum-messages", limits.maximumMessages(), messages.get());
            ExceededLimit.check(exceeded, "heddle.retained.maximum-bytes", limits.maximumBytes(), bytes.get());
            ExceededLimit.check(
                    exceeded, "heddle.retained.maximum-payload", limits.maximumPayloadBytes(), largestAppliedBytes);
        }
        return exceeded;
    }

    void settle(RetainedChange change, boolean isDurable) {
        synchronized (writeLock) {
            TopicChanges changes = changing.get(change.topic);
            if (changes == null) {
                throw new IllegalStateException("the change of " + change.topic + " was already settled");
            }
            if (changes.settle(change, isDurable) && at(trie.find(change.topic)) != changes.value()) {
                put(change.topic, changes.value());
            }
            if (changes.isIdle()) {
                changing.remove(change.topic);
            }
        }
    }

    /** Returns a cursor over the messages that match a filter, without the share name of a shared subscription. */
    public RetainedCursor matching(TopicFilter filter) {
        return new RetainedCursor(this, new TrieCursor(trie.root(), filter, false));
    }

    /**
     * Removes expired messages, here and from the log. Each call continues where the last one stopped and restarts after the last
     * topic. Called periodically by a housekeeping task.
     *
     * @param maximumVisits the maximum work of this call, as for {@link RetainedCursor#next}
     * @param log of the retained messages
     * @return the number of removed messages
     */
    public int expireSome(int maximumVisits, ChangeLog<TopicName, PublishMessage> log) {
        synchronized (housekeeping) {
            if (expiring.get() == 0) {
                sweep = null;
                return 0;
            }
            TrieCursor cursor = sweep;
            if (cursor == null || cursor.isDone()) {
                cursor = new TrieCursor(trie.root(), EVERYTHING, true);
                sweep = cursor;
            }
            int found = 0;
            long end = cursor.visited() + maximumVisits;
            while (cursor.visited() < end && !cursor.isDone()) {
                TopicNode node = cursor.next((int) (end - cursor.visited()));
                RetainedMessage message = node == null ? null : node.message;
                if (node != null && message != null && isExpired(message) && remove(node, message, log)) {
                    found++;
                }
            }
            return found;
        }
    }

    /** Returns the number of retained messages. */
    public int size() {
        return messages.get();
    }

    /** Returns their estimated memory, as limited by {@link RetainedLimits#maximumBytes}. */
    public long bytes() {
        return bytes.get();
    }

    /** Returns the number of trie nodes, including the root. */
    public int nodeCount() {
        return trie.nodeCount();
    }

    /** Returns whether a message has expired, so that subscribers no longer receive it. */
    boolean isExpired(RetainedMessage message) {
        return message.canExpire() && message.isExpiredAt(clock.millis());
    }

    /** Removes an expired message, unless it was replaced or a commit of its topic is in flight. */
    private boolean remove(TopicNode node, RetainedMessage message, ChangeLog<TopicName, PublishMessage> log) {
        synchronized (writeLock) {
            if (node.message != message
                    || pendingRemovals >= MAXIMUM_PENDING_REMOVALS
                    || clock.millis() < nextRemovalMillis) {
                return false;
            }
            TopicName topic = sweptTopic.of(node);
            if (changing.containsKey(topic)) {
                return false;
            }
            TopicChanges changes = new TopicChanges(null);
            changes.removing();
            changing.put(topic, changes);
            pendingRemovals++;
            takeOut(node, message);
            metrics.expired.increment();
            log.append(topic, null).whenComplete((_, failure) -> removed(topic, message, changes, failure != null));
            return true;
        }
    }

    private void removed(TopicName topic, RetainedMessage message, TopicChanges changes, boolean failed) {
        synchronized (writeLock) {
            pendingRemovals--;
            changes.removed();
            if (failed) {
                nextRemovalMillis = clock.millis() + RETRY_PAUSE_MILLIS;
            }
            if (!changes.isIdle()) {
                return;
            }
            changing.remove(topic);
            if (failed && at(trie.find(topic)) == null) {
                // It is still in the log: restore it here, so that a later sweep removes it.
                put(topic, message);
            }
        }
    }

    private RetainOutcome remove(TopicName topic) {
        TopicNode node = trie.find(topic);
        synchronized (writeLock) {
            RetainedMessage message = node == null ? null : node.message;
            if (node == null || message == null) {
                return RetainOutcome.Done.NOTHING_TO_REMOVE;
            }
            takeOut(node, message);
            return RetainOutcome.Done.REMOVED;
        }
    }

    private RetainOutcome keep(PublishMessage message) {
        TopicNode node = trie.find(message.topic());
        synchronized (writeLock) {
            RetainedMessage before = node == null ? null : node.message;
            // A node without a message may have been removed from the trie meanwhile, so search again.
            return node == null || before == null ? add(message) : replace(node, before, message);
        }
    }

    private RetainOutcome replace(TopicNode node, RetainedMessage before, PublishMessage message) {
        RetainedMessage after = new RetainedMessage(message, before.creator);
        long growth = after.bytes() - before.bytes();
        if (growth > 0 && bytes.get() + growth > limits.maximumBytes()) {
            return RetainOutcome.Refused.MAXIMUM_BYTES;
        }
        swap(node, before, after);
        return RetainOutcome.Done.REPLACED;
    }

    private void swap(TopicNode node, RetainedMessage before, RetainedMessage after) {
        node.message = after;
        bytes.addAndGet(after.bytes() - before.bytes());
        expiring.addAndGet((after.canExpire() ? 1 : 0) - (before.canExpire() ? 1 : 0));
        if (!after.creator.equals(before.creator)) {
            countTopic(before.creator, -1);
            countTopic(after.creator, 1);
        }
    }

    /** Stores a value regardless of limits; null removes the present one. */
    private void put(TopicName topic, @Nullable RetainedMessage value) {
        TopicNode deepest = trie.deepest(topic);
        RetainedMessage present = deepest.depth() == topic.levelCount() ? deepest.message : null;
        if (present == null && value != null) {
            insert(deepest, topic, value);
        } else if (present != null && value == null) {
            takeOut(deepest, present);
        } else if (present != null && value != null) {
            swap(deepest, present, value);
        }
    }

    private RetainOutcome add(PublishMessage message) {
        TopicNode deepest = trie.deepest(message.topic());
        RetainedMessage before = deepest.depth() == message.topic().levelCount() ? deepest.message : null;
        if (before != null) {
            return replace(deepest, before, message);
        }
        if (messages.get() >= limits.maximumMessages()) {
            return RetainOutcome.Refused.MAXIMUM_MESSAGES;
        }
        ClientId creator = message.publisher();
        int maximumPerClient = limits.maximumMessagesPerClient();
        if (maximumPerClient > 0 && topicsByCreator.getOrDefault(creator, 0) >= maximumPerClient) {
            return RetainOutcome.Refused.MAXIMUM_PER_CLIENT;
        }
        RetainedMessage added = new RetainedMessage(message, creator);
        long growth = added.bytes() + RetainedTrie.missingBytes(deepest, message.topic());
        if (bytes.get() + growth > limits.maximumBytes()) {
            return RetainOutcome.Refused.MAXIMUM_BYTES;
        }
        insert(deepest, message.topic(), added);
        return RetainOutcome.Done.STORED;
    }

    private void insert(TopicNode deepest, TopicName topic, RetainedMessage added) {
        bytes.addAndGet(added.bytes() + RetainedTrie.missingBytes(deepest, topic));
        trie.put(deepest, topic, added);
        countTopic(added.creator, 1);
        messages.incrementAndGet();
        if (added.canExpire()) {
            expiring.incrementAndGet();
        }
    }

    private void countTopic(ClientId creator, int change) {
        if (limits.maximumMessagesPerClient() > 0) {
            int before = topicsByCreator.size();
            topicsByCreator.merge(creator, change, (topics, more) -> topics + more == 0 ? null : topics + more);
            bytes.addAndGet((topicsByCreator.size() - before) * Footprint.CREATOR);
        }
    }

    private void takeOut(TopicNode node, RetainedMessage message) {
        long freed = message.bytes() + trie.clear(node);
        messages.decrementAndGet();
        bytes.addAndGet(-freed);
        if (message.canExpire()) {
            expiring.decrementAndGet();
        }
        countTopic(message.creator, -1);
    }
}
