package io.heddle.core.simulation.kafka;

import io.heddle.core.Limit;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.JoinedAppends;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.delivery.log.LogAppend.ToBucket;
import io.heddle.core.delivery.log.LogAppend.ToClients;
import io.heddle.core.delivery.log.LogAppend.ToDeadLetters;
import io.heddle.core.delivery.log.LogAppend.ToRetained;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.kafka.SimTransactions.Commit;
import io.heddle.core.simulation.kafka.SimTransactions.Write;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The message log of one process: plain appends through its producer, commits through its transactions. */
final class SimMessageLog implements MessageLog {
    private static final int MAXIMUM_BUFFERED = 10_000;
    private static final int MARK_BYTES = 40;
    private static final AppendCallback NOBODY = new AppendCallback() {
        @Override
        public void onAppended() {}

        @Override
        public void onFailed(Throwable reason) {}
    };

    private final SimKafkaClient client;
    private final BucketPositions positions;

    SimMessageLog(SimKafkaClient client, BucketPositions positions) {
        this.client = client;
        this.positions = positions;
    }

    @Override
    public boolean accepts(long bytes) {
        return client.producer().buffered() < MAXIMUM_BUFFERED;
    }

    @Override
    public long publisherShare() {
        return Long.MAX_VALUE;
    }

    @Override
    public Limit pendingLimit() {
        return new Limit("buffered appends", MAXIMUM_BUFFERED);
    }

    @Override
    public void append(List<LogAppend> appends, AppendCallback callback) {
        List<LogAppend> copy = List.copyOf(appends);
        copy.forEach(this::partition);
        JoinedAppends joined = new JoinedAppends(copy.size(), isAnsweredEarly(copy) ? NOBODY : callback);
        for (LogAppend append : copy) {
            client.producer().send(partition(append), key(append), value(append), offset -> {
                written(append, offset);
                joined.onAppended();
            });
        }
        if (isAnsweredEarly(copy)) {
            client.world().after(client.process(), 1, callback::onAppended);
        }
    }

    private boolean isAnsweredEarly(List<LogAppend> appends) {
        return appends.stream().allMatch(append -> switch (append) {
            case ToApplication _ -> client.has(Mistake.ACKNOWLEDGE_BEFORE_APPEND);
            case ToBucket toBucket ->
                client.has(Mistake.ACKNOWLEDGE_BEFORE_APPEND) && toBucket.command() instanceof BucketCommand.Enqueue;
            case ToRetained _, ToDeadLetters _, ToClients _ -> false;
        });
    }

    @Override
    public void commit(List<LogAppend> appends, OrderFence order, AppendCallback callback) {
        List<LogAppend> copy = List.copyOf(appends);
        copy.forEach(this::partition);
        if (client.has(Mistake.MARKER_NOT_WRITTEN)) {
            copy = copy.stream().filter(append -> !isMarker(append)).toList();
        }
        if (copy.isEmpty()) {
            client.world().after(client.process(), 1, callback::onAppended);
            return;
        }
        if (client.has(Mistake.MARKER_NOT_ATOMIC)) {
            append(copy, callback);
            return;
        }
        if ((client.has(Mistake.RELEASE_APPENDED) && isRelease(copy))
                || (client.has(Mistake.RETAINED_APPENDED) && isRetained(copy))) {
            append(copy, callback);
            return;
        }
        if (client.has(Mistake.WILL_NOT_ATOMIC)
                && copy.size() > 1
                && copy.stream().anyMatch(ToClients.class::isInstance)) {
            commitWillFirst(copy, order, callback);
            return;
        }
        List<Write> writes = copy.stream()
                .map(append -> new Write(partition(append), key(append), value(append), offset -> {
                    written(append, offset);
                    if (append instanceof ToRetained) {
                        callback.onRetained(offset);
                    }
                }))
                .toList();
        SimTransactions lane = isRelease(copy) ? client.state() : client.publishes();
        lane.commit(new Commit(writes, order, isRelease(copy) || isRetained(copy), fault -> {
            if (fault == null) {
                callback.onAppended();
            } else {
                callback.onFailed(fault);
            }
        }));
    }

    private void commitWillFirst(List<LogAppend> appends, OrderFence order, AppendCallback callback) {
        List<LogAppend> messages = appends.stream()
                .filter(append -> !(append instanceof ToClients))
                .toList();
        List<LogAppend> records =
                appends.stream().filter(ToClients.class::isInstance).toList();
        commit(messages, order, new AppendCallback() {
            @Override
            public void onAppended() {
                commit(records, order, callback);
            }

            @Override
            public void onFailed(Throwable reason) {
                callback.onFailed(reason);
            }
        });
    }

    private static boolean isRelease(List<LogAppend> appends) {
        return appends.size() == 1
                && appends.getFirst() instanceof ToBucket toBucket
                && toBucket.command() instanceof BucketCommand.InboundReleased;
    }

    private static boolean isRetained(List<LogAppend> appends) {
        return appends.size() == 1 && appends.getFirst() instanceof ToRetained;
    }

    private static boolean isMarker(LogAppend append) {
        return append instanceof ToBucket toBucket && toBucket.command() instanceof BucketCommand.InboundReceived;
    }

    private SimPartition partition(LogAppend append) {
        SimKafka kafka = client.kafka();
        return switch (append) {
            case ToBucket toBucket -> {
                if (toBucket.bucket() < 0 || toBucket.bucket() >= kafka.buckets()) {
                    throw new IllegalArgumentException("there is no bucket " + toBucket.bucket());
                }
                yield kafka.topic(SimKafka.BUCKETS).get(toBucket.bucket());
            }
            case ToRetained retained -> kafka.partition(SimKafka.RETAINED, retained.topic());
            case ToClients clients -> kafka.topic(SimKafka.CLIENTS).get(clients.bucket());
            case ToDeadLetters _ -> kafka.topic(SimKafka.DEAD_LETTERS).getFirst();
            case ToApplication application ->
                kafka.topic(SimKafka.applicationTopic(application.clientId().value()))
                        .getFirst();
        };
    }

    private static @Nullable Object key(LogAppend append) {
        return switch (append) {
            case ToRetained retained -> retained.topic();
            case ToClients clients -> SimClientLog.key((ClientChange) clients.change());
            case ToBucket _, ToDeadLetters _, ToApplication _ -> null;
        };
    }

    private static @Nullable Object value(LogAppend append) {
        return switch (append) {
            case ToBucket toBucket -> toBucket.command();
            case ToRetained retained -> retained.message();
            case ToDeadLetters dead -> dead;
            case ToClients clients -> SimClientLog.value((ClientChange) clients.change());
            case ToApplication application -> application;
        };
    }

    private void written(LogAppend append, long offset) {
        client.world().trace(() -> client.process() + " has written " + offset + ": " + append);
        if (append instanceof ToBucket toBucket) {
            BucketCommand command = toBucket.command();
            int bytes = command instanceof BucketCommand.Enqueue enqueue
                    ? enqueue.message().heldBytes()
                    : MARK_BYTES;
            positions.appended(toBucket.bucket(), offset, bytes, command.writes());
        }
    }
}
