package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.quota.ExceededLimit;
import io.heddle.core.retained.trie.Footprint;
import io.heddle.core.retained.trie.RetainedMessage;
import io.heddle.core.retained.trie.RetainedTrie;
import io.heddle.core.retained.trie.TopicNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The visible messages, their number and memory, and the limits of new ones. Changed by the writer that holds the lock of {@link
 * RetainedMessages}; the trie and the numbers are read by any thread.
 */
@HotPath
final class RetainedContents {
    private final RetainedLimits limits;
    private final RetainedTrie trie = new RetainedTrie();
    // Writer only. At most one entry per message; empty without a limit per client.
    private final Map<ClientId, Integer> topicsByCreator = new HashMap<>();
    private int largestAppliedBytes;
    // Written by the writer, read by any thread.
    private final AtomicInteger messages = new AtomicInteger();
    private final AtomicInteger expiring = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    RetainedContents(RetainedLimits limits) {
        this.limits = limits;
    }

    // Any thread.

    RetainedTrie trie() {
        return trie;
    }

    AtomicInteger messages() {
        return messages;
    }

    AtomicLong bytes() {
        return bytes;
    }

    boolean hasExpiring() {
        return expiring.get() > 0;
    }

    boolean allowsPayload(int length) {
        return length <= limits.maximumPayloadBytes();
    }

    // Writer only.

    /** Returns the message of a topic, or null. */
    @Nullable
    RetainedMessage get(TopicName topic) {
        TopicNode node = trie.find(topic);
        return node == null ? null : node.message();
    }

    /** Stores a message within the limits. */
    RetainOutcome keep(@Nullable TopicNode found, PublishMessage message) {
        RetainedMessage before = found == null ? null : found.message();
        // A node without a message may have been removed from the trie meanwhile, so search again.
        return found == null || before == null ? add(message) : replace(found, before, message);
    }

    private RetainOutcome add(PublishMessage message) {
        TopicNode deepest = trie.deepest(message.topic());
        RetainedMessage before = deepest.depth() == message.topic().levelCount() ? deepest.message() : null;
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

    private RetainOutcome replace(TopicNode node, RetainedMessage before, PublishMessage message) {
        RetainedMessage after = new RetainedMessage(message, before.creator());
        long growth = after.bytes() - before.bytes();
        if (growth > 0 && bytes.get() + growth > limits.maximumBytes()) {
            return RetainOutcome.Refused.MAXIMUM_BYTES;
        }
        swap(node, before, after);
        return RetainOutcome.Done.REPLACED;
    }

    /** Stores a value regardless of limits; null removes the present one. */
    void put(TopicName topic, @Nullable RetainedMessage value) {
        TopicNode deepest = trie.deepest(topic);
        RetainedMessage present = deepest.depth() == topic.levelCount() ? deepest.message() : null;
        if (present == null && value != null) {
            insert(deepest, topic, value);
        } else if (present != null && value == null) {
            takeOut(deepest, present);
        } else if (present != null && value != null) {
            swap(deepest, present, value);
        }
    }

    /** Stores a message of the log, or null, regardless of the limits. */
    void apply(TopicName topic, @Nullable RetainedMessage value) {
        put(topic, value);
        if (value != null) {
            largestAppliedBytes = Math.max(largestAppliedBytes, value.payloadBytes());
        }
    }

    private void insert(TopicNode deepest, TopicName topic, RetainedMessage added) {
        bytes.addAndGet(added.bytes() + RetainedTrie.missingBytes(deepest, topic));
        trie.put(deepest, topic, added);
        countTopic(added.creator(), 1);
        messages.incrementAndGet();
        if (added.canExpire()) {
            expiring.incrementAndGet();
        }
    }

    private void swap(TopicNode node, RetainedMessage before, RetainedMessage after) {
        trie.replace(node, after);
        bytes.addAndGet(after.bytes() - before.bytes());
        expiring.addAndGet((after.canExpire() ? 1 : 0) - (before.canExpire() ? 1 : 0));
        if (!after.creator().equals(before.creator())) {
            countTopic(before.creator(), -1);
            countTopic(after.creator(), 1);
        }
    }

    void takeOut(TopicNode node, RetainedMessage message) {
        long freed = message.bytes() + trie.clear(node);
        messages.decrementAndGet();
        bytes.addAndGet(-freed);
        if (message.canExpire()) {
            expiring.decrementAndGet();
        }
        countTopic(message.creator(), -1);
    }

    private void countTopic(ClientId creator, int change) {
        if (limits.maximumMessagesPerClient() > 0) {
            int before = topicsByCreator.size();
            topicsByCreator.merge(creator, change, (topics, more) -> topics + more == 0 ? null : topics + more);
            bytes.addAndGet((topicsByCreator.size() - before) * Footprint.CREATOR);
        }
    }

    /** Returns the limits that the applied messages exceed. */
    List<ExceededLimit> exceededLimits() {
        List<ExceededLimit> exceeded = new ArrayList<>();
        ExceededLimit.check(exceeded, "heddle.retained.maximum-messages", limits.maximumMessages(), messages.get());
        ExceededLimit.check(exceeded, "heddle.retained.maximum-bytes", limits.maximumBytes(), bytes.get());
        ExceededLimit.check(
                exceeded, "heddle.retained.maximum-payload", limits.maximumPayloadBytes(), largestAppliedBytes);
        return exceeded;
    }
}
