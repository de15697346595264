package io.heddle.core.operator.rule;

import io.heddle.core.authorization.CompiledRules;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSubject;
import io.heddle.core.authorization.SubscriptionDecision;
import io.heddle.core.authorization.decision.LoopDecisions;
import io.heddle.core.authorization.decision.RecentDecisions;
import io.heddle.core.authorization.decision.SampledDecision;
import io.heddle.core.client.BackgroundWork;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Takes the sampled decisions of this node again, by proposed rules. Changes nothing. Owned by one event loop, for its samples; decides about
 * some of them at a time, between the turns of the loop.
 */
final class DecisionRehearsal implements BackgroundWork {
    /** A decision takes up to some microseconds, and the rules of another client about as much. */
    private static final int DECISIONS_PER_STEP = 16;

    private final LoopDecisions decisions;
    private final RuleSet proposed;
    private final CompletableFuture<RehearsedDecisions> done;
    private final Iterator<SampledDecision> undecided;
    private final List<ChangedDecision> changes = new ArrayList<>();
    private long sampled;
    private long distinct;
    private long sinceMillis = RehearsedDecisions.NEVER;
    private long wouldDeny;
    private long wouldAllow;
    // Of the latest sample.
    private @Nullable RuleSubject subject;
    private @Nullable CompiledRules rules;

    private DecisionRehearsal(LoopDecisions decisions, RuleSet proposed, CompletableFuture<RehearsedDecisions> done) {
        this.decisions = decisions;
        this.proposed = proposed;
        this.done = done;
        this.undecided = decisions.samples().iterator();
    }

    /** Decides about all samples. Any thread. Completes on an event loop, with one part for each, which the caller merges elsewhere. */
    static CompletionStage<List<RehearsedDecisions>> of(RecentDecisions decisions, RuleSet proposed) {
        List<CompletableFuture<RehearsedDecisions>> parts = new ArrayList<>();
        for (LoopDecisions each : decisions.all()) {
            CompletableFuture<RehearsedDecisions> part = new CompletableFuture<>();
            each.loop().execute(() -> each.loop().inBackground(new DecisionRehearsal(each, proposed, part)));
            parts.add(part);
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
                .thenApply(_ -> parts.stream().map(CompletableFuture::join).toList());
    }

    @Override
    public boolean step() {
        for (int i = 0; i < DECISIONS_PER_STEP && undecided.hasNext(); i++) {
            decide(undecided.next());
        }
        if (!undecided.hasNext()) {
            done.complete(new RehearsedDecisions(sampled, distinct, sinceMillis, wouldDeny, wouldAllow, changes));
        }
        return undecided.hasNext();
    }

    private void decide(SampledDecision sample) {
        distinct++;
        sampled += sample.count();
        sinceMillis = Math.min(sinceMillis, decisions.millis(sample.firstNanos()));
        if (mayDo(sample) == sample.isAllowed()) {
            return;
        }
        if (sample.isAllowed()) {
            wouldDeny += sample.count();
        } else {
            wouldAllow += sample.count();
        }
        changes.add(new ChangedDecision(
                sample.subject().clientId().value(),
                sample.subject().userName(),
                sample.action(),
                sample.topic(),
                sample.qos(),
                sample.retain(),
                sample.isAllowed(),
                sample.count(),
                decisions.millis(sample.lastNanos()),
                List.of()));
    }

    private boolean mayDo(SampledDecision sample) {
        CompiledRules compiled = rulesOf(sample.subject());
        return switch (sample.action()) {
            case PUBLISH ->
                compiled.mayPublish(TopicName.parse(sample.topic(), Integer.MAX_VALUE), sample.qos(), sample.retain());
            case SUBSCRIBE ->
                compiled.decideSubscription(TopicFilter.parse(sample.topic(), Integer.MAX_VALUE), sample.qos())
                        != SubscriptionDecision.DENIED;
        };
    }

    /** The samples of a client follow each other. */
    private CompiledRules rulesOf(RuleSubject next) {
        CompiledRules present = rules;
        if (present == null || !next.equals(subject)) {
            present = proposed.forClient(next);
            rules = present;
            subject = next;
        }
        return present;
    }
}
