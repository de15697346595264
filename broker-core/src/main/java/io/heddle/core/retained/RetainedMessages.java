package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The last message of each topic of this node.
 *
 * <p>Any thread may call. Writers take turns: one lock, held while one message is put in place or taken out, never while the
 * trie is searched for a topic that is there already, and never while calling out. Of two publishers on one topic the one whose
 * turn came last wins. Readers take no lock and see the old message or the new one, each whole. Bounded by
 * {@link RetainedLimits}; what would exceed them is refused, counted, and what is kept stays.
 *
 * <p>A {@link RetainedChange} counts at once and is undone when its append fails. An expired message is removed here and from the
 * log; the removal is handed to the log, which does not block, while the lock is held, so that a later message follows it there.
 *
 * <p>Storing the same message again changes nothing.
 */
@HotPath
public final class RetainedMessages {
    /** Bounds the removals of expired messages that are in flight. */
    private static final int MAXIMUM_REMOVALS = 1_000;

    private static final long RETRY_PAUSE_MILLIS = 1_000;
    private static final TopicFilter EVERYTHING = TopicFilter.parse("#", 1);

    private final RetainedLimits limits;
    private final SteadyClock clock;
    private final RetainedTrie trie = new RetainedTrie();
    private final RetainedMetrics metrics;

    /** Held by the writer. */
    private final Object turn = new Object();
    // Of the writer; as many entries as there are messages at most, and none without a limit per client.
    private final Map<ClientId, Integer> topicsByCreator = new HashMap<>();
    // Of the writer: the topics with appends in flight.
    private final Map<TopicName, TopicChanges> changing = new HashMap<>();
    // Of the writer.
    private int removals;
    private long removeAgainMillis;
    // Changed by the writer, read by any thread.
    private final AtomicInteger messages = new AtomicInteger();
    private final AtomicInteger mortal = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** Held by who looks for expired messages; the turn may be taken while it is held, not the other way round. */
    private final Object housekeeping = new Object();

    private @Nullable TrieCursor sweep;
    private final TopicText sweptTopic = new TopicText();

    /** None yet. */
    public RetainedMessages(RetainedLimits limits, SteadyClock clock, MeterRegistry registry) {
        this.limits = limits;
        this.clock = clock;
        this.metrics = new RetainedMetrics(registry);
        registry.gauge("heddle.retained.messages", messages);
        registry.gauge("heddle.retained.bytes", bytes);
    }

    /**
     * Makes a message the one of its topic [MQTT-3.3.1-5]; without a payload it removes that [MQTT-3.3.1-6], and so does one whose
     * lifetime is over.
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
            outcome = keep(message, limits.maximumMessagesPerClient());
        }
        metrics.count(outcome);
        return outcome;
    }

    /**
     * The same for a message that is about to be appended to the log.
     *
     * @return null when a limit forbids to keep it; otherwise the caller says what became of the append
     */
    public @Nullable RetainedChange change(PublishMessage message) {
        TopicName topic = message.topic();
        synchronized (turn) {
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
     * Keeps a message of the log, also one that has expired, so that {@link #expireSome} removes it from there. At the start. The log
     * names the latest publisher of a topic, not its creator, so no limit per client applies.
     */
    public void restore(PublishMessage message) {
        metrics.count(
                message.payload().length() > limits.maximumPayloadBytes()
                        ? RetainOutcome.Refused.MAXIMUM_PAYLOAD
                        : keep(message, 0));
    }

    void settled(RetainedChange change, boolean isDurable) {
        synchronized (turn) {
            TopicChanges changes = changing.get(change.topic);
            if (changes == null) {
                throw new IllegalStateException("the change of " + change.topic + " was settled before");
            }
            changes.settled(change, isDurable);
            if (!isDurable && at(trie.find(change.topic)) == change.value) {
                put(change.topic, changes.value());
            }
            if (changes.isIdle()) {
                changing.remove(change.topic);
            }
        }
    }

    boolean defersUntilRemoved(RetainedChange change, Runnable commit) {
        synchronized (turn) {
            TopicChanges changes = changing.get(change.topic);
            return changes != null && changes.defers(commit);
        }
    }

    /** The messages that match a filter; those of the filter alone, when it is that of a shared subscription. */
    public RetainedCursor matching(TopicFilter filter) {
        return new RetainedCursor(this, new TrieCursor(trie.root(), filter, false));
    }

    /**
     * Removes expired messages, here and from the log. Each call continues where the last one stopped and starts again after the last
     * topic; the housekeeping calls it periodically.
     *
     * @param maximumVisits the most work that this call may do, as for {@link RetainedCursor#next}
     * @param log of the retained messages
     * @return how many it removed
     */
    public int expireSome(int maximumVisits, ChangeLog<TopicName, PublishMessage> log) {
        synchronized (housekeeping) {
            if (mortal.get() == 0) {
                sweep = null;
                return 0;
            }
            TrieCursor walk = sweep;
            if (walk == null || walk.isDone()) {
                walk = new TrieCursor(trie.root(), EVERYTHING, true);
                sweep = walk;
            }
            int found = 0;
            long end = walk.visited() + maximumVisits;
            while (walk.visited() < end && !walk.isDone()) {
                TopicNode node = walk.next((int) (end - walk.visited()));
                RetainedMessage message = node == null ? null : node.message;
                if (node != null && message != null && isExpired(message) && remove(node, message, log)) {
                    found++;
                }
            }
            return found;
        }
    }

    /** How many there are. */
    public int size() {
        return messages.get();
    }

    /** What they cost, as {@link RetainedLimits#maximumBytes} counts. */
    public long bytes() {
        return bytes.get();
    }

    /** How many nodes the trie has, its root included. */
    public int nodeCount() {
        return trie.nodeCount();
    }

    /** Whether a message's lifetime is over, so that subscribers don't get it any more. */
    boolean isExpired(RetainedMessage message) {
        return message.canExpire() && message.isExpiredAt(clock.millis());
    }

    /** Removes an expired message, unless another has taken its place or its own append is still in flight. */
    private boolean remove(TopicNode node, RetainedMessage message, ChangeLog<TopicName, PublishMessage> log) {
        synchronized (turn) {
            if (node.message != message || removals >= MAXIMUM_REMOVALS || clock.millis() < removeAgainMillis) {
                return false;
            }
            TopicName topic = sweptTopic.of(node);
            if (changing.containsKey(topic)) {
                return false;
            }
            TopicChanges changes = new TopicChanges(null);
            changes.removing();
            changing.put(topic, changes);
            removals++;
            takeOut(node, message);
            metrics.expired.increment();
            log.append(topic, null).whenComplete((_, failure) -> removed(topic, message, changes, failure != null));
            return true;
        }
    }

    private void removed(TopicName topic, RetainedMessage message, TopicChanges changes, boolean failed) {
        synchronized (turn) {
            removals--;
            changes.removed();
            if (failed) {
                removeAgainMillis = clock.millis() + RETRY_PAUSE_MILLIS;
            }
            if (!changes.isIdle()) {
                return;
            }
            changing.remove(topic);
            if (failed && at(trie.find(topic)) == null) {
                // The log still has it: it is removed another time.
                put(topic, message);
            }
        }
    }

    private RetainOutcome remove(TopicName topic) {
        TopicNode node = trie.find(topic);
        synchronized (turn) {
            RetainedMessage message = node == null ? null : node.message;
            if (node == null || message == null) {
                return RetainOutcome.Done.NOTHING_TO_REMOVE;
            }
            takeOut(node, message);
            return RetainOutcome.Done.REMOVED;
        }
    }

    /** @param maximumPerClient 0 for no limit */
    private RetainOutcome keep(PublishMessage message, int maximumPerClient) {
        TopicNode node = trie.find(message.topic());
        synchronized (turn) {
            RetainedMessage before = node == null ? null : node.message;
            // A node without a message may have left the trie meanwhile: it is searched for again.
            return node == null || before == null ? add(message, maximumPerClient) : replace(node, before, message);
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
        mortal.addAndGet((after.canExpire() ? 1 : 0) - (before.canExpire() ? 1 : 0));
        if (!after.creator.equals(before.creator)) {
            countTopic(before.creator, -1);
            countTopic(after.creator, 1);
        }
    }

    /** Puts back what was kept before: no limit applies. */
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

    private RetainOutcome add(PublishMessage message, int maximumPerClient) {
        TopicNode deepest = trie.deepest(message.topic());
        RetainedMessage before = deepest.depth() == message.topic().levelCount() ? deepest.message : null;
        if (before != null) {
            return replace(deepest, before, message);
        }
        if (messages.get() >= limits.maximumMessages()) {
            return RetainOutcome.Refused.MAXIMUM_MESSAGES;
        }
        ClientId creator = message.publisher();
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
            mortal.incrementAndGet();
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
            mortal.decrementAndGet();
        }
        countTopic(message.creator, -1);
    }
}
