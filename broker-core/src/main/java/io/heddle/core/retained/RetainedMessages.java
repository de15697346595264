package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
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
 * <p>Storing the same message again changes nothing.
 */
@HotPath
public final class RetainedMessages {
    private static final TopicFilter EVERYTHING = TopicFilter.parse("#", 1);

    private final RetainedLimits limits;
    private final SteadyClock clock;
    private final RetainedTrie trie = new RetainedTrie();
    private final RetainedMetrics metrics;

    /** Held by the writer. */
    private final Object turn = new Object();
    // Of the writer; as many entries as there are messages at most, and none without a limit per client.
    private final Map<ClientId, Integer> topicsByCreator = new HashMap<>();
    // Changed by the writer, read by any thread.
    private final AtomicInteger messages = new AtomicInteger();
    private final AtomicInteger mortal = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** Held by who looks for expired messages; the turn may be taken while it is held, not the other way round. */
    private final Object housekeeping = new Object();

    private @Nullable Walk sweep;

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
            outcome = keep(message);
        }
        metrics.count(outcome);
        return outcome;
    }

    /** The messages that match a filter; those of the filter alone, when it is that of a shared subscription. */
    public RetainedCursor matching(TopicFilter filter) {
        return new RetainedCursor(this, new Walk(trie.root(), filter, false));
    }

    /**
     * Looks for expired messages, which otherwise are found only when somebody looks them up, and removes them. Each call goes
     * on where the last one stopped and begins anew after the last topic. Somebody calls it again and again.
     *
     * @param maximumVisits the most work that this call may do, as for {@link RetainedCursor#next}
     * @return how many it removed
     */
    public int expireSome(int maximumVisits) {
        synchronized (housekeeping) {
            if (mortal.get() == 0) {
                sweep = null;
                return 0;
            }
            Walk walk = sweep;
            if (walk == null || walk.isDone()) {
                walk = new Walk(trie.root(), EVERYTHING, true);
                sweep = walk;
            }
            int found = 0;
            long end = walk.visited() + maximumVisits;
            while (walk.visited() < end && !walk.isDone()) {
                TopicNode node = walk.next((int) (end - walk.visited()));
                RetainedMessage message = node == null ? null : node.message;
                if (node != null && message != null && removeIfExpired(node, message)) {
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

    /** Whether a message's lifetime is over; then it is no longer kept, unless another has taken its place. */
    boolean removeIfExpired(TopicNode node, RetainedMessage message) {
        if (!message.canExpire() || !message.isExpiredAt(clock.millis())) {
            return false;
        }
        synchronized (turn) {
            if (node.message == message) {
                takeOut(node, message);
                metrics.expired.increment();
            }
        }
        return true;
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

    private RetainOutcome keep(PublishMessage message) {
        TopicNode node = trie.find(message.topic());
        synchronized (turn) {
            RetainedMessage before = node == null ? null : node.message;
            // A node without a message may have left the trie meanwhile: it is searched for again.
            return node == null || before == null ? add(message) : replace(node, before, message);
        }
    }

    private RetainOutcome replace(TopicNode node, RetainedMessage before, PublishMessage message) {
        RetainedMessage after = new RetainedMessage(message, before.creator);
        long growth = after.bytes() - before.bytes();
        if (growth > 0 && bytes.get() + growth > limits.maximumBytes()) {
            return RetainOutcome.Refused.MAXIMUM_BYTES;
        }
        node.message = after;
        bytes.addAndGet(growth);
        mortal.addAndGet((after.canExpire() ? 1 : 0) - (before.canExpire() ? 1 : 0));
        return RetainOutcome.Done.REPLACED;
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
        int most = limits.maximumMessagesPerClient();
        int topics = most == 0 ? 0 : topicsByCreator.getOrDefault(creator, 0);
        if (most > 0 && topics >= most) {
            return RetainOutcome.Refused.MAXIMUM_PER_CLIENT;
        }
        RetainedMessage added = new RetainedMessage(message, creator);
        long growth = added.bytes() + RetainedTrie.missingBytes(deepest, message.topic());
        if (bytes.get() + growth > limits.maximumBytes()) {
            return RetainOutcome.Refused.MAXIMUM_BYTES;
        }
        trie.put(deepest, message.topic(), added);
        if (most > 0) {
            topicsByCreator.put(creator, topics + 1);
        }
        messages.incrementAndGet();
        bytes.addAndGet(growth);
        if (added.canExpire()) {
            mortal.incrementAndGet();
        }
        return RetainOutcome.Done.STORED;
    }

    private void takeOut(TopicNode node, RetainedMessage message) {
        long freed = message.bytes() + trie.clear(node);
        messages.decrementAndGet();
        bytes.addAndGet(-freed);
        if (message.canExpire()) {
            mortal.decrementAndGet();
        }
        if (limits.maximumMessagesPerClient() > 0) {
            topicsByCreator.computeIfPresent(message.creator, (creator, topics) -> topics == 1 ? null : topics - 1);
        }
    }
}
