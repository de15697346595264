package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.quota.ExceededLimit;
import io.heddle.core.retained.trie.RetainedMessage;
import io.heddle.core.retained.trie.RetainedTrie;
import io.heddle.core.retained.trie.TopicNode;
import io.heddle.core.retained.trie.TrieCursor;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The retained message of each topic on this node.
 *
 * <p>Thread-safe. One lock serializes writers; it is held while one message is stored or removed, never while the trie is searched for an
 * existing topic, and never while calling out. Of two publishers on one topic, the last to get the lock wins. Readers are lock-free and see
 * the old message or the new one, each complete. Bounded by {@link RetainedLimits}, or by the messages of the log if they exceed the
 * limits: they are applied. Other messages above a limit are not retained, which is counted, and nothing is evicted.
 *
 * <p>A {@link RetainedChange} is visible immediately and rolled back if its commit fails. Other nodes write, too, and this node follows the
 * log, which decides: the visible message of a topic is that of its last record, except while a change of this node is in flight, or durable
 * and not followed yet.
 *
 * <p>Storing a message is idempotent.
 */
@HotPath
public final class RetainedMessages {
    private final SteadyClock clock;
    private final RetainedLimits limits;
    private final RetainedContents contents;
    private final RetainedTrie trie;
    private final RetainedMetrics metrics;

    /** Serializes writers. */
    private final Object writeLock = new Object();
    // Guarded by the write lock: topics with commits in flight, or not followed yet.
    private final Map<TopicName, TopicChanges> changing = new HashMap<>();
    // Guarded by the write lock.
    private final ConditionalRecords conditional = new ConditionalRecords();
    private final UnsettledChanges unsettled = new UnsettledChanges();
    private final PendingRemovals removals;

    private final RetainedSweep sweep;

    /** Creates an empty store. */
    public RetainedMessages(RetainedLimits limits, SteadyClock clock, MeterRegistry registry) {
        this.clock = clock;
        this.limits = limits;
        this.contents = new RetainedContents(limits);
        this.trie = contents.trie();
        this.metrics = new RetainedMetrics(registry);
        this.removals = new PendingRemovals(clock);
        this.sweep = new RetainedSweep(contents);
        registry.gauge("heddle.retained.messages", contents.messages());
        registry.gauge("heddle.retained.bytes", contents.bytes());
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
        } else if (!contents.allowsPayload(message.payload().length())) {
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
     * @param onRefused receives the limit that the message exceeds, if it does, and the message; it must not block
     * @return null if it exceeds a limit; otherwise the caller must report the outcome of the commit
     */
    public @Nullable RetainedChange change(PublishMessage message, BiConsumer<Limit, PublishMessage> onRefused) {
        TopicName topic = message.topic();
        synchronized (writeLock) {
            RetainedMessage before = contents.get(topic);
            if (store(message) instanceof RetainOutcome.Refused refused) {
                onRefused.accept(limits.of(refused), message);
                return null;
            }
            TopicChanges changes = changing.get(topic);
            if (changes == null) {
                changes = new TopicChanges(before);
                changing.put(topic, changes);
            }
            RetainedChange change = changes.add(this, topic, contents.get(topic));
            unsettled.begin(change);
            return change;
        }
    }

    /**
     * Runs a task when the outcome of each change that has begun on this node is known. A node tells others that it knows a subscription in
     * such a task: the messages that it has routed without this subscription are in the log then, where its retained messages are looked up
     * afterwards.
     *
     * @param task runs on this thread, or on a thread of the log, which it must not block
     */
    public void whenSettled(Runnable task) {
        synchronized (writeLock) {
            if (unsettled.await(task)) {
                return;
            }
        }
        task.run();
    }

    void settle(RetainedChange change, boolean isDurable) {
        List<Runnable> due;
        synchronized (writeLock) {
            TopicChanges changes = changing.get(change.topic);
            if (changes == null) {
                throw new IllegalStateException("the change of " + change.topic + " was already settled");
            }
            changes.settle(change, isDurable);
            show(change.topic, changes);
            due = unsettled.settle(change);
            if (changes.isIdle()) {
                changing.remove(change.topic);
            }
        }
        for (int i = 0; i < due.size(); i++) {
            due.get(i).run();
        }
    }

    private void show(TopicName topic, TopicChanges changes) {
        if (contents.get(topic) != changes.value()) {
            contents.put(topic, changes.value());
        }
    }

    /**
     * Applies a record of the log, regardless of the limits: the node that committed it has admitted it. Expired messages are applied too,
     * so that {@link #expireSome} removes them from the log. The first publisher of a topic in the log counts as its creator.
     *
     * @param offset of the record
     */
    void apply(Change<TopicName, PublishMessage> record, long offset) {
        TopicName topic = record.key();
        PublishMessage message = record.value();
        synchronized (writeLock) {
            TopicChanges changes = changing.get(topic);
            RetainedMessage before = changes == null ? contents.get(topic) : changes.followed();
            boolean takesEffect = conditional.takesEffect(record, offset, before);
            if (removals.onFollowed(record) && takesEffect && before != null) {
                metrics.expired.increment();
            }
            if (!takesEffect) {
                return;
            }
            RetainedMessage value = message == null
                    ? null
                    : new RetainedMessage(message, before == null ? message.publisher() : before.creator());
            if (changes == null) {
                contents.apply(topic, value);
                return;
            }
            changes.follow(value, offset);
            show(topic, changes);
            if (changes.isIdle()) {
                changing.remove(topic);
            }
        }
    }

    /** Returns the limits that the applied messages exceed. */
    public List<ExceededLimit> exceededLimits() {
        synchronized (writeLock) {
            return contents.exceededLimits();
        }
    }

    /** Returns a cursor over the messages that match a filter, without the share name of a shared subscription. */
    public RetainedCursor matching(TopicFilter filter) {
        return new RetainedCursor(this, new TrieCursor(trie.root(), filter, false));
    }

    /**
     * Returns a cursor like {@link #matching(TopicFilter)} that begins behind a topic.
     *
     * @param after a topic that the filter matches; it need not have a message
     */
    public RetainedCursor matching(TopicFilter filter, TopicName after) {
        TrieCursor cursor = new TrieCursor(trie.root(), filter, false);
        cursor.continueAfter(after);
        return new RetainedCursor(this, cursor);
    }

    /** Returns the unexpired message of a topic, with RETAIN set, or null. */
    public @Nullable PublishMessage find(TopicName topic) {
        TopicNode node = trie.find(topic);
        RetainedMessage message = node == null ? null : node.message();
        return message == null || isExpired(message) ? null : message.toPublishMessage(topic);
    }

    /**
     * Removes expired messages from the log. Each call continues where the last one stopped and restarts after the last topic. Called
     * periodically by a housekeeping task of one node.
     *
     * <p>All nodes remove them when they follow the removal, which does not remove a message that another node has stored meanwhile. Such a
     * message is repeated in the log.
     *
     * @param maximumVisits the maximum work of this call, as for {@link RetainedCursor#next}
     * @param log of the retained messages
     * @return the number of removals
     */
    public int expireSome(int maximumVisits, ChangeLog<TopicName, PublishMessage> log) {
        repeatOvertaken(log);
        return sweep.step(maximumVisits, this::isExpired, (node, message) -> remove(node, message, log));
    }

    public int size() {
        return contents.messages().get();
    }

    /** Returns their estimated memory, as limited by {@link RetainedLimits#maximumBytes}. */
    public long bytes() {
        return contents.bytes().get();
    }

    /** Returns the number of trie nodes, including the root. */
    public int nodeCount() {
        return trie.nodeCount();
    }

    /**
     * Returns a number that is equal on nodes with the same retained messages, expired ones included, while none of them changes. Visits all
     * messages, so it takes up to a second for a million of them.
     */
    public long checksum() {
        return sweep.checksum();
    }

    /** Returns whether a message has expired, so that subscribers no longer receive it. */
    boolean isExpired(RetainedMessage message) {
        return message.canExpire() && message.isExpiredAt(clock.millis());
    }

    /** Removes an expired message, unless it was replaced or a commit of its topic is in flight. */
    private boolean remove(TopicNode node, RetainedMessage message, ChangeLog<TopicName, PublishMessage> log) {
        synchronized (writeLock) {
            if (node.message() != message || !removals.hasRoom()) {
                return false;
            }
            TopicName topic = sweep.topic(node);
            if (changing.containsKey(topic)) {
                return false;
            }
            return write(new Change<>(topic, null, new ChangeCondition.ExpiredBy(message.expiresAtMillis())), log);
        }
    }

    /** Writes a conditional record, unless one of its topic is in flight. */
    private boolean write(Change<TopicName, PublishMessage> record, ChangeLog<TopicName, PublishMessage> log) {
        if (!removals.begin(record.key())) {
            return false;
        }
        log.append(record).whenComplete((_, failure) -> {
            synchronized (writeLock) {
                removals.end(record.key(), failure != null);
            }
        });
        return true;
    }

    private void repeatOvertaken(ChangeLog<TopicName, PublishMessage> log) {
        synchronized (writeLock) {
            for (Map.Entry<TopicName, Long> each :
                    List.copyOf(conditional.overtaken().entrySet())) {
                TopicName topic = each.getKey();
                if (!removals.hasRoom()) {
                    return;
                }
                TopicChanges changes = changing.get(topic);
                RetainedMessage inForce = changes == null ? contents.get(topic) : changes.followed();
                Change<TopicName, PublishMessage> record = inForce == null
                        ? new Change<>(topic, null, new ChangeCondition.ExpiredBy(0))
                        : new Change<>(
                                topic, inForce.toPublishMessage(topic), new ChangeCondition.Repeated(each.getValue()));
                if (write(record, log)) {
                    metrics.repeated.increment();
                }
            }
        }
    }

    private RetainOutcome remove(TopicName topic) {
        TopicNode node = trie.find(topic);
        synchronized (writeLock) {
            RetainedMessage message = node == null ? null : node.message();
            if (node == null || message == null) {
                return RetainOutcome.Done.NOTHING_TO_REMOVE;
            }
            contents.takeOut(node, message);
            return RetainOutcome.Done.REMOVED;
        }
    }

    private RetainOutcome keep(PublishMessage message) {
        TopicNode node = trie.find(message.topic());
        synchronized (writeLock) {
            return contents.keep(node, message);
        }
    }
}
