package io.heddle.core.operator.bucket;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.HeldBuckets;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.View;
import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.operator.bucket.BucketState.Progress;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.operator.query.NodeAnswer;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Shows all buckets of the cluster. Thread-safe; blocks its callers, so not on an event loop. */
public final class BucketAdministration {
    private static final RecordFormat<Answer> ANSWER = RecordFormat.of(Answer.class);
    private static final int MAXIMUM_REASON = 500;

    private final NodeQuestions questions;
    private final Supplier<View> view;
    private final BucketLog log;

    private record Answer(Map<Integer, Progress> held) {}

    public BucketAdministration(NodeQuestions questions, Supplier<View> view, BucketLog log) {
        this.questions = questions;
        this.view = view;
        this.log = log;
    }

    /**
     * Answers the questions of all nodes about the buckets that this one holds, about its own commands that others have not applied, and about
     * the logs that Kafka holds back. Called once.
     *
     * @param blockReason returns why a bucket is not applied, or null; it may know that of a bucket that another node holds
     */
    public void answer(HeldBuckets held, BucketPositions positions, IntFunction<@Nullable String> blockReason) {
        questions.answer(QuestionKind.BUCKETS, (_, _) -> {
            Map<Integer, Progress> progress = new TreeMap<>();
            for (int bucket = 0; bucket < positions.count(); bucket++) {
                String blocked = cut(blockReason.apply(bucket));
                if (held.isHeld(bucket)) {
                    progress.put(
                            bucket,
                            new Progress(
                                    positions.appliedOffset(bucket),
                                    positions.lagMillis(bucket),
                                    positions.lagBytes(bucket),
                                    blocked));
                } else if (positions.lagBytes(bucket) > 0 || blocked != null) {
                    progress.put(
                            bucket,
                            new Progress(
                                    BucketBatch.NOTHING,
                                    positions.lagMillis(bucket),
                                    positions.lagBytes(bucket),
                                    blocked));
                }
            }
            return ANSWER.encode(new Answer(progress));
        });
    }

    private static @Nullable String cut(@Nullable String reason) {
        return reason == null ? null : reason.substring(0, Math.min(MAXIMUM_REASON, reason.length()));
    }

    /** @throws StoreUnavailableException if Kafka does not answer */
    public BucketStates all() {
        CompletionStage<List<Long>> ends = log.ends();
        CompletionStage<List<Long>> sizes = log.sizes();
        Map<Incarnation, NodeId> members = questions.members();
        CompletableFuture<Map<Incarnation, NodeAnswer>> asked =
                questions.askAll(QuestionKind.BUCKETS, NodeQuestions.EMPTY);
        Map<Integer, Progress> progress = new HashMap<>();
        List<String> missing = new ArrayList<>();
        await(asked).forEach((member, answer) -> {
            byte[] bytes = answer.bytes();
            if (bytes == null) {
                missing.add(String.valueOf(members.get(member)));
            } else {
                ANSWER.decode(bytes)
                        .held()
                        .forEach((bucket, ofMember) -> progress.merge(bucket, ofMember, Progress::and));
            }
        });
        return new BucketStates(states(await(ends), await(sizes), progress), missing);
    }

    private List<BucketState> states(List<Long> ends, List<Long> sizes, Map<Integer, Progress> progress) {
        View current = view.get();
        Map<Integer, String> owners = new HashMap<>();
        Map<Integer, String> holders = new HashMap<>();
        for (Member each : current.members()) {
            String id = each.node().id().value();
            current.ownedBy(each.incarnation()).forEach(bucket -> owners.put(bucket, id));
            current.heldBy(each.incarnation()).forEach(bucket -> holders.put(bucket, id));
        }
        List<BucketState> states = new ArrayList<>(ends.size());
        for (int bucket = 0; bucket < ends.size(); bucket++) {
            states.add(new BucketState(
                    bucket,
                    owners.get(bucket),
                    holders.get(bucket),
                    ends.get(bucket),
                    sizes.get(bucket),
                    progress.get(bucket)));
        }
        return states;
    }

    private static <T> T await(CompletionStage<T> answer) {
        return Answers.await(answer, "the bucket logs", StoreUnavailableException::kafka);
    }
}
