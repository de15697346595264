package io.heddle.core.session.registrar.settlement;

import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.MemberState;
import io.heddle.core.cluster.View;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
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
 * The settlement of a cluster. Waits for every member, this node included, until it has applied the changes or has ended. A member that has only
 * joined is not waited for while it says that it only follows. A node that is unknown to the reports is waited for. Confined to the event loop of
 * {@link FollowedReports}, except {@link #whenFollowed} and {@link #whenApplied}. Bound: the changes that clients have requested.
 *
 * <p>Metrics: {@code heddle.settlement}, {@code heddle.settlement.waiting}.
 */
public final class LinkSettlement implements Settlement {
    private final FollowedReports reports;
    private final CommittedOffsets committed;
    private final EventLoop loop;
    private final Map<Integer, ArrayDeque<Wait>> waiting = new HashMap<>();
    private final Map<Integer, List<Wait>> own = new HashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Timer time;

    /**
     * Somebody waits.
     *
     * @param end below which all records must be applied
     * @param sinceNanos by the clock of the event loop
     */
    private record Wait(long end, long sinceNanos, CompletableFuture<Void> settled) {}

    /** @param committed of this node */
    public LinkSettlement(FollowedReports reports, CommittedOffsets committed, MeterRegistry registry) {
        this.reports = reports;
        this.committed = committed;
        this.loop = reports.loop();
        this.time = Timer.builder("heddle.settlement")
                .description(
                        "Committed changes of subscriptions, until all nodes that route messages have applied them")
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
            waiting.computeIfAbsent(bucket, _ -> new ArrayDeque<>(1)).add(new Wait(end, loop.nanoTime(), settled));
            review(bucket);
        });
        return settled;
    }

    /** Completes when this node has applied the record of a bucket at this offset. Any thread. Never fails. */
    public CompletionStage<Void> whenApplied(int bucket, long offset) {
        CompletableFuture<Void> applied = new CompletableFuture<>();
        loop.execute(() -> {
            own.computeIfAbsent(bucket, _ -> new ArrayList<>(1)).add(new Wait(offset + 1, 0, applied));
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
            if (isAwaited(bucket, first, view)) {
                return;
            }
            waits.remove();
            count.decrementAndGet();
            time.record(loop.nanoTime() - first.sinceNanos(), TimeUnit.NANOSECONDS);
            first.settled().complete(null);
        }
        waiting.remove(bucket);
    }

    /** Returns whether a member has not told yet that it has applied the changes. */
    private boolean isAwaited(int bucket, Wait wait, View view) {
        for (Member member : view.members()) {
            Incarnation node = member.incarnation();
            if (reports.appliedBy(node, bucket) < wait.end()
                    && !(member.state() == MemberState.JOINED && reports.onlyFollows(node))) {
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
