package io.heddle.persistence.redis;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketApplied.EnqueueOutcome;
import io.heddle.core.delivery.device.BucketApplied.EnqueueResult;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.device.QueuePage.Ownership;
import io.heddle.core.delivery.device.QueueView;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.persistence.record.QueueEntryFormat;
import io.heddle.persistence.record.RecordReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * The queues of DEVICE clients as lists in Redis. Thread-safe, never blocks. One script call serves many clients; a request for more than
 * {@value #MAXIMUM_CLIENTS} clients is split into several calls, which are sent at once.
 */
public final class RedisDeviceQueues implements DeviceQueues {
    private static final int MAXIMUM_CLIENTS = 1_000;

    // The roles of the caller in the answer of page.lua.
    private static final long FENCED = 0;

    private static final long OWNER = 1;

    private static final EnqueueOutcome[] OUTCOMES = {
        EnqueueOutcome.QUEUED,
        EnqueueOutcome.EXPIRED,
        EnqueueOutcome.QUEUE_FULL,
        EnqueueOutcome.SESSION_ENDED,
        EnqueueOutcome.APPLIED_BEFORE,
        EnqueueOutcome.QUEUED_EVICTING
    };

    private final RedisKeys keys;
    private final RedisScripts scripts;
    private final RedisScripts fillingScripts;
    private final byte[] log;

    public RedisDeviceQueues(RedisBuckets buckets) {
        this.keys = buckets.keys();
        this.scripts = buckets.scripts();
        this.fillingScripts = buckets.fillingScripts();
        this.log = buckets.log();
    }

    @Override
    public CompletionStage<BucketPosition> position(int bucket) {
        return scripts.run(
                LuaScript.POSITION, keys.bucket(bucket), List.of(log, newViewId()), answer -> position(answer, 0));
    }

    @Override
    public CompletionStage<BucketApplied> apply(
            BucketBatch batch, QueueBounds bounds, PushedUpTo pushed, long nowMillis) {
        byte[] key = keys.bucket(batch.bucket());
        List<ApplyCall> calls;
        try {
            calls = ApplyCall.split(batch, pushed, nowMillis);
        } catch (StoreRejectedException e) {
            return CompletableFuture.failedStage(e);
        }
        CompletionStage<BucketApplied> result = null;
        // Send all at once: after a failed call, the next one finds a gap.
        for (ApplyCall call : calls) {
            CompletionStage<BucketApplied> part = fillingScripts.run(
                    LuaScript.APPLY,
                    key,
                    call.arguments(log, newViewId(), bounds),
                    answer -> applied(answer, () -> "Redis's answer to apply.lua"));
            result = result == null ? part : result.thenCombine(part, RedisDeviceQueues::both);
        }
        if (result == null) {
            throw new IllegalStateException("the batch is empty");
        }
        return RedisScripts.unwrapped(result);
    }

    private static BucketApplied both(BucketApplied first, BucketApplied second) {
        return switch (first) {
            case BucketApplied.Gap gap -> gap;
            case BucketApplied.Done done ->
                switch (second) {
                    case BucketApplied.Gap gap -> gap;
                    case BucketApplied.Done next -> {
                        List<EnqueueResult> results = new ArrayList<>(
                                done.results().size() + next.results().size());
                        results.addAll(done.results());
                        results.addAll(next.results());
                        yield new BucketApplied.Done(
                                next.position(),
                                results,
                                done.dropped() + next.dropped(),
                                done.cleared() + next.cleared());
                    }
                };
        };
    }

    private static BucketApplied applied(List<?> answer, Supplier<String> where) {
        BucketPosition position = position(answer, 1);
        if (number(answer.get(0)) == 0) {
            return new BucketApplied.Gap(position);
        }
        RecordReader reader = new RecordReader((byte[]) answer.get(4), where);
        List<EnqueueResult> results = new ArrayList<>();
        while (reader.remaining() > 0) {
            results.add(new EnqueueResult(OUTCOMES[reader.u8()], reader.i64(), reader.i64()));
        }
        return new BucketApplied.Done(position, results, (int) number(answer.get(3)), (int) number(answer.get(5)));
    }

    @Override
    public CompletionStage<QueuePage> page(
            int bucket,
            ClientId clientId,
            long generation,
            long epoch,
            long from,
            int maximumMessages,
            int maximumBytes) {
        List<byte[]> arguments = List.of(
                bytes(clientId.value()),
                decimal(generation),
                decimal(epoch),
                decimal(from),
                decimal(maximumMessages),
                decimal(maximumBytes));
        return scripts.run(
                LuaScript.PAGE,
                keys.bucket(bucket),
                arguments,
                answer -> page(answer, () -> "the queue " + text(keys.queue(bucket, clientId)) + " in Redis"));
    }

    private static QueuePage page(List<?> answer, Supplier<String> where) {
        long asker = number(answer.get(0));
        if (asker != OWNER) {
            return QueuePage.rejected(asker == FENCED ? Ownership.FENCED : Ownership.UNKNOWN);
        }
        return new QueuePage(
                Ownership.OWNER,
                entries((List<?>) answer.get(2), (List<?>) answer.get(3), where),
                number(answer.get(1)));
    }

    private static List<QueuePage.Entry> entries(List<?> stored, List<?> withPubRec, Supplier<String> where) {
        Set<Long> received = new HashSet<>();
        for (Object sequence : withPubRec) {
            received.add((Long) sequence);
        }
        List<QueuePage.Entry> entries = new ArrayList<>(stored.size());
        for (Object entry : stored) {
            byte[] bytes = (byte[]) entry;
            boolean isReceived = !received.isEmpty() && received.contains(QueueEntryFormat.sequence(bytes, where));
            entries.add(QueueEntryFormat.read(bytes, isReceived, where));
        }
        return entries;
    }

    @Override
    public CompletionStage<QueueView> view(
            int bucket, ClientId clientId, long generation, long from, int maximumMessages, int maximumBytes) {
        List<byte[]> arguments = List.of(
                bytes(clientId.value()),
                decimal(generation),
                decimal(from),
                decimal(maximumMessages),
                decimal(maximumBytes));
        return scripts.run(
                LuaScript.VIEW,
                keys.bucket(bucket),
                arguments,
                answer -> view(answer, () -> "the queue " + text(keys.queue(bucket, clientId)) + " in Redis"));
    }

    private static QueueView view(List<?> answer, Supplier<String> where) {
        if (number(answer.get(0)) == 0) {
            return QueueView.UNKNOWN;
        }
        return new QueueView(
                number(answer.get(1)),
                number(answer.get(2)),
                (int) number(answer.get(3)),
                number(answer.get(4)),
                entries((List<?>) answer.get(5), (List<?>) answer.get(6), where));
    }

    @Override
    public CompletionStage<Void> acknowledge(int bucket, List<Acknowledgement> acknowledgements) {
        List<CompletionStage<Void>> parts = new ArrayList<>();
        for (List<Acknowledgement> part : split(acknowledgements)) {
            BinaryWriter program = new BinaryWriter();
            Map<ClientId, Integer> indexes = new HashMap<>();
            List<byte[]> arguments = new ArrayList<>(part.size() + 1);
            arguments.add(new byte[0]);
            for (Acknowledgement each : part) {
                Integer index = indexes.get(each.clientId());
                if (index == null) {
                    arguments.add(bytes(each.clientId().value()));
                    index = arguments.size() - 1;
                    indexes.put(each.clientId(), index);
                }
                program.u16(index)
                        .i64(each.generation())
                        .i64(each.viewId())
                        .i64(each.upTo())
                        .u16(each.above().size());
                for (SequenceRange range : each.above()) {
                    program.i64(range.first()).i64(range.end());
                }
            }
            arguments.set(0, program.toBytes());
            parts.add(scripts.perform(LuaScript.ACKNOWLEDGE, keys.bucket(bucket), arguments));
        }
        return all(parts);
    }

    @Override
    public CompletionStage<List<QueueEnds>> tails(int bucket, List<SessionKey> sessions) {
        CompletionStage<List<QueueEnds>> whole = CompletableFuture.completedStage(new ArrayList<>(sessions.size()));
        for (List<SessionKey> part : parts(sessions)) {
            List<byte[]> arguments = new ArrayList<>(2 * part.size());
            for (SessionKey each : part) {
                arguments.add(bytes(each.clientId().value()));
                arguments.add(decimal(each.generation()));
            }
            whole = whole.thenCombine(
                    scripts.run(LuaScript.TAILS, keys.bucket(bucket), arguments, RedisDeviceQueues::ends),
                    (ends, more) -> {
                        ends.addAll(more);
                        return ends;
                    });
        }
        return RedisScripts.unwrapped(whole);
    }

    private static List<QueueEnds> ends(List<?> answer) {
        List<QueueEnds> ends = new ArrayList<>(answer.size() / 2);
        for (int i = 0; i < answer.size(); i += 2) {
            ends.add(new QueueEnds(number(answer.get(i)), number(answer.get(i + 1))));
        }
        return ends;
    }

    /** Splits acknowledgements by the cost of a call: a range above the others costs about as much as a client. */
    private static List<List<Acknowledgement>> split(List<Acknowledgement> whole) {
        List<List<Acknowledgement>> parts = new ArrayList<>();
        int from = 0;
        int weight = 0;
        for (int i = 0; i < whole.size(); i++) {
            int more = 1 + whole.get(i).above().size();
            if (i > from && weight + more > MAXIMUM_CLIENTS) {
                parts.add(whole.subList(from, i));
                from = i;
                weight = 0;
            }
            weight += more;
        }
        if (from < whole.size()) {
            parts.add(whole.subList(from, whole.size()));
        }
        return parts;
    }

    static byte[] newViewId() {
        return new BinaryWriter().i64(ThreadLocalRandom.current().nextLong()).toBytes();
    }

    /** Reads two elements of an answer: the view id as bytes, and the offset. */
    static BucketPosition position(List<?> answer, int at) {
        long viewId = new RecordReader((byte[]) answer.get(at), () -> "the view id of a bucket").i64();
        return new BucketPosition(viewId, number(answer.get(at + 1)));
    }

    /** Splits a request for many clients into the parts of several calls. */
    static <T> List<List<T>> parts(List<T> whole) {
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < whole.size(); from += MAXIMUM_CLIENTS) {
            parts.add(whole.subList(from, Math.min(whole.size(), from + MAXIMUM_CLIENTS)));
        }
        return parts;
    }

    /** Completes when all parts have completed. */
    static CompletionStage<Void> all(List<CompletionStage<Void>> parts) {
        CompletableFuture<?>[] each =
                parts.stream().map(CompletionStage::toCompletableFuture).toArray(CompletableFuture<?>[]::new);
        return RedisScripts.unwrapped(CompletableFuture.allOf(each));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] decimal(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static long number(Object answer) {
        return (Long) answer;
    }

    static List<Long> numbers(List<?> answer) {
        List<Long> numbers = new ArrayList<>(answer.size());
        for (Object each : answer) {
            numbers.add((Long) each);
        }
        return numbers;
    }
}
