package io.heddle.core.testkit;

import io.heddle.core.Limit;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.delivery.log.LogAppend.ToBucket;
import io.heddle.core.delivery.log.LogAppend.ToClients;
import io.heddle.core.delivery.log.LogAppend.ToDeadLetters;
import io.heddle.core.delivery.log.LogAppend.ToRetained;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.ClientChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory log. Callbacks are called at once on the appending thread. While a test holds the log, nothing is written and no callback is
 * called until the test releases it, and there is room for a bounded number of appends.
 */
public final class InMemoryMessageLog implements MessageLog {
    private static final int MARKER_BYTES = 40;

    private final InMemoryBucketLog buckets;
    private final BucketPositions positions;
    private final @Nullable InMemoryApplicationLogs applicationLogs;
    private final InMemoryChangeLog<TopicName, PublishMessage> retainedLog;
    private final InMemoryClientLog clientLog;
    // Guarded by this.
    private final List<ToApplication> applications = new ArrayList<>();
    private final List<ToDeadLetters> deadLetters = new ArrayList<>();
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private boolean holding;
    private int room = Integer.MAX_VALUE;
    private long publisherShare = Long.MAX_VALUE;
    private @Nullable Throwable fault;
    private @Nullable Throwable nextFault;

    public InMemoryMessageLog(InMemoryBucketLog buckets, BucketPositions positions) {
        this(buckets, positions, null, new InMemoryChangeLog<>(), new InMemoryClientLog());
    }

    /** @param applicationLogs of the APPLICATION clients; null when their messages are only recorded */
    public InMemoryMessageLog(
            InMemoryBucketLog buckets,
            BucketPositions positions,
            @Nullable InMemoryApplicationLogs applicationLogs,
            InMemoryChangeLog<TopicName, PublishMessage> retainedLog,
            InMemoryClientLog clientLog) {
        this.buckets = buckets;
        this.positions = positions;
        this.applicationLogs = applicationLogs;
        this.retainedLog = retainedLog;
        this.clientLog = clientLog;
    }

    /** Holds all appends, like an unavailable Kafka, with room for this many. */
    public synchronized void hold(int appends) {
        holding = true;
        room = appends;
    }

    /** Sets how many bytes of one publisher may be held. */
    public synchronized void publisherShare(long bytes) {
        publisherShare = bytes;
    }

    /** Writes the held appends in order and calls their callbacks on this thread. */
    public void release() {
        while (true) {
            Runnable next;
            synchronized (this) {
                next = held.poll();
                if (next == null) {
                    holding = false;
                    room = Integer.MAX_VALUE;
                    return;
                }
            }
            next.run();
        }
    }

    /** Writes this many of the held appends like {@link #release()}, and holds the others and further ones. */
    public void release(int appends) {
        for (int i = 0; i < appends; i++) {
            Runnable next;
            synchronized (this) {
                next = held.remove();
            }
            next.run();
        }
    }

    /** Makes the next append fail with this. */
    public synchronized void failNextWith(Throwable reason) {
        nextFault = reason;
    }

    /** Makes every append fail with this; null ends the fault. */
    public synchronized void failWith(@Nullable Throwable reason) {
        fault = reason;
    }

    /** The retained message of a topic, or null. */
    public @Nullable PublishMessage retained(TopicName topic) {
        Map<TopicName, @Nullable PublishMessage> last = new HashMap<>();
        retainedLog.changes().forEach(change -> last.put(change.key(), change.value()));
        return last.get(topic);
    }

    /** The dead letters. */
    public synchronized List<ToDeadLetters> deadLetters() {
        return List.copyOf(deadLetters);
    }

    /** The messages appended for APPLICATION clients. */
    public synchronized List<ToApplication> applications() {
        return List.copyOf(applications);
    }

    @Override
    public synchronized boolean accepts(long bytes) {
        return held.size() < room;
    }

    @Override
    public synchronized long publisherShare() {
        return publisherShare;
    }

    @Override
    public synchronized Limit pendingLimit() {
        return new Limit("room", room);
    }

    @Override
    public void append(List<LogAppend> appends, AppendCallback callback) {
        enter(appends, null, callback);
    }

    @Override
    public void commit(List<LogAppend> appends, OrderFence order, AppendCallback callback) {
        enter(appends, order, callback);
    }

    private void enter(List<LogAppend> appends, @Nullable OrderFence order, AppendCallback callback) {
        List<LogAppend> copy = List.copyOf(appends);
        for (LogAppend append : copy) {
            if (append instanceof ToBucket toBucket) {
                // Refuses a bucket that does not exist before anything is written.
                buckets.commands(toBucket.bucket());
            }
        }
        synchronized (this) {
            if (holding) {
                held.add(() -> write(copy, order, callback));
                return;
            }
        }
        write(copy, order, callback);
    }

    private void write(List<LogAppend> appends, @Nullable OrderFence order, AppendCallback callback) {
        Throwable reason;
        long retainedOffset = -1;
        synchronized (this) {
            reason = nextFault == null ? fault : nextFault;
            nextFault = null;
            if (order != null && order.isBroken()) {
                reason = new IllegalStateException("the order is broken");
            }
            if (reason != null && order != null) {
                order.breakOff();
            }
            if (reason == null) {
                for (LogAppend append : appends) {
                    if (append instanceof ToRetained(TopicName topic, PublishMessage message)) {
                        retainedOffset = retainedLog.add(topic, message);
                    } else {
                        write(append);
                    }
                }
                if (order != null) {
                    appends.forEach(this::end);
                }
            }
        }
        if (reason == null) {
            if (order != null && retainedOffset >= 0) {
                callback.onRetained(retainedOffset);
            }
            callback.onAppended();
        } else {
            callback.onFailed(reason);
        }
    }

    private void write(LogAppend append) {
        switch (append) {
            case ToBucket toBucket ->
                positions.appended(
                        toBucket.bucket(),
                        buckets.add(toBucket.bucket(), toBucket.command()),
                        bytes(toBucket.command()),
                        toBucket.command().writes());
            case ToRetained _ -> throw new IllegalArgumentException("written with its offset");
            case ToDeadLetters dead -> deadLetters.add(dead);
            case ToClients toClients -> clientLog.add(toClients.bucket(), (ClientChange) toClients.change());
            case ToApplication toApplication -> {
                applications.add(toApplication);
                if (applicationLogs != null) {
                    applicationLogs.append(toApplication);
                }
            }
        }
    }

    private static int bytes(BucketCommand command) {
        return command instanceof BucketCommand.Enqueue enqueue
                ? enqueue.message().heldBytes()
                : MARKER_BYTES;
    }

    /** Skips an offset of each log for the transaction marker. */
    private void end(LogAppend append) {
        if (append instanceof ToBucket toBucket) {
            buckets.skip(toBucket.bucket());
        } else if (append instanceof ToApplication toApplication && applicationLogs != null) {
            applicationLogs.skip(toApplication.clientId());
        }
    }
}
