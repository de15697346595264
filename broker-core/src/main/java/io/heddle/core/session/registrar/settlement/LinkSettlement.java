package io.heddle.core.session.registrar.settlement;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.MemberState;
import io.heddle.core.cluster.View;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The settlement of a cluster. Waits for every member, this node included, until it has applied the changes, has ended, or is known to be
 * silent for longer than its routing lease. A member that has only joined is not waited for while it says that it only follows. A node that is
 * unknown to the reports is waited for. A change is never settled too early: if a member is neither silent nor reports anything for the
 * patience of {@link RoutingSilence}, the wait fails. Confined to the event loop of {@link
 * FollowedReports}, except {@link #whenFollowed} and {@link #whenApplied}. Bound: the changes that clients have requested.
 *
 * <p>Metrics: {@code heddle.settlement}, {@code heddle.settlement.waiting}, {@code heddle.settlement.silent}.
 */
public final class LinkSettlement implements Settlement {
    private static final Duration REVIEW = Duration.ofMillis(100);

    private final FollowedReports reports;
    private final CommittedOffsets committed;
    private final RoutingSilence silence;
    private final EventLoop loop;
    private final Map<Integer, ArrayDeque<Wait>> waiting = new HashMap<>();
    private final Map<Integer, List<Wait>> own = new HashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Timer time;
    private final Counter silent;
    private final Counter failed;
    private boolean isScheduled;

    /**
     * Somebody waits.
     *
     * @param end below which all records must be applied
     * @param sinceNanos by the clock of the silence
     * @param sinceLoopNanos by the clock of the event loop
     */
    private record Wait(long end, long sinceNanos, long sinceLoopNanos, CompletableFuture<Void> settled) {}

    /** @param committed of this node */
    public LinkSettlement(
            FollowedReports reports, CommittedOffsets committed, RoutingSilence silence, MeterRegistry registry) {
        this.reports = reports;
        this.committed = committed;
        this.silence = silence;
        this.loop = reports.loop();
        this.time = Timer.builder("heddle.settlement")
                .description(
                        "Committed changes of subscriptions, until all nodes that route messages have applied them")
                .register(registry);
        this.silent = Counter.builder("heddle.settlement.silent")
                .description(
                        "Changes that were settled without a member that was silent for longer than its routing lease")
                .register(registry);
        this.failed = Counter.builder("heddle.settlement.failed")
                .description("Changes of which a member did not tell in time that it has applied them")
                .register(registry);
        Gauge.builder("heddle.settlement.waiting", count, AtomicInteger::get)
                .description("Committed changes that not all nodes are known to have applied")
                .register(registry);
        reports.onApplied(this::review);
        reports.onMembers(this::reviewAll);
    }

    @Override
    public CompletionStage<Void> whenFollowed(int bucket) {
        CompletableFuture<Void> settled = new CompletableFuture<>();
        long end = committed.highest(bucket) + 1;
        count.incrementAndGet();
        loop.execute(() -> {
            waiting.computeIfAbsent(bucket, _ -> new ArrayDeque<>(1))
                    .add(new Wait(end, silence.nanoTime(), loop.nanoTime(), settled));
            review(bucket);
        });
        return settled;
    }

    /** Completes when this node has applied the record of a bucket at this offset. Any thread. Never fails. */
    public CompletionStage<Void> whenApplied(int bucket, long offset) {
        CompletableFuture<Void> applied = new CompletableFuture<>();
        loop.execute(() -> {
            own.computeIfAbsent(bucket, _ -> new ArrayList<>(1)).add(new Wait(offset + 1, 0, 0, applied));
            reviewOwn(bucket);
        });
        return applied;
    }

    private void reviewAll() {
        List.copyOf(waiting.keySet()).forEach(this::review);
    }

    private void review(int bucket) {
        reviewOwn(bucket);
        ArrayDeque<Wait> waits = waiting.get(bucket);
        View view = reports.view();
        if (waits == null || view == null) {
            return;
        }
        // A later change has a higher end, so it is not settled before an earlier one.
        for (Wait first = waits.peek(); first != null; first = waits.peek()) {
            if (isSettled(bucket, first, view)) {
                waits.remove();
                count.decrementAndGet();
                time.record(silence.nanoTime() - first.sinceNanos(), TimeUnit.NANOSECONDS);
                first.settled().complete(null);
            } else if (isCutOff(bucket, first, view)) {
                waits.remove();
                count.decrementAndGet();
                failed.increment();
                first.settled()
                        .completeExceptionally(new StoreUnavailableException(
                                "a member of the cluster does not tell how far it has read heddle.clients", null));
            } else {
                break;
            }
        }
        if (waits.isEmpty()) {
            waiting.remove(bucket);
        } else if (!isScheduled) {
            // Silence is no event.
            isScheduled = true;
            loop.schedule(REVIEW, () -> {
                isScheduled = false;
                reviewAll();
            });
        }
    }

    private boolean isSettled(int bucket, Wait wait, View view) {
        boolean isWithout = false;
        for (Member member : view.members()) {
            Incarnation node = member.incarnation();
            if (!isAwaited(member, bucket, wait)) {
                continue;
            }
            if (reports.isSelf(node) || !silence.isSuspected(node, wait.sinceNanos())) {
                return false;
            }
            isWithout = true;
        }
        if (isWithout) {
            silent.increment();
        }
        return true;
    }

    private boolean isAwaited(Member member, int bucket, Wait wait) {
        Incarnation node = member.incarnation();
        return reports.appliedBy(node, bucket) < wait.end()
                && !(member.state() == MemberState.JOINED && reports.onlyFollows(node));
    }

    /** Returns whether a member that is waited for has told no progress for the patience. A slow one tells some. */
    private boolean isCutOff(int bucket, Wait wait, View view) {
        Duration patience = silence.patience();
        if (loop.nanoTime() - wait.sinceLoopNanos() < patience.toNanos()) {
            return false;
        }
        for (Member member : view.members()) {
            if (isAwaited(member, bucket, wait) && reports.isStuck(member.incarnation(), patience)) {
                return true;
            }
        }
        return false;
    }

    private void reviewOwn(int bucket) {
        List<Wait> waits = own.get(bucket);
        if (waits == null) {
            return;
        }
        long next = reports.applied(bucket);
        List<Wait> due = new ArrayList<>();
        for (Iterator<Wait> each = waits.iterator(); each.hasNext(); ) {
            Wait wait = each.next();
            if (wait.end() <= next) {
                each.remove();
                due.add(wait);
            }
        }
        if (waits.isEmpty()) {
            own.remove(bucket);
        }
        due.forEach(wait -> wait.settled().complete(null));
    }
}
