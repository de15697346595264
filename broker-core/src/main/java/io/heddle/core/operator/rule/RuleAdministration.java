package io.heddle.core.operator.rule;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.ListenerMethods;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleStore;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.authorization.StoredRules;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.operator.query.NodeAnswer;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.session.LocalSessions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Changes the rules of the cluster: stores them, announces them, and asks all nodes whether they apply them. Thread-safe; blocks.
 */
public final class RuleAdministration {
    private static final RecordFormat<Version> FORMAT = RecordFormat.of(Version.class);
    private static final Duration ANNOUNCED_WITHIN = Duration.ofSeconds(3);
    private static final String NOT_ANNOUNCED = "not_announced";
    /** Below the time that a node has for its answer. */
    private static final Duration APPLIED_WITHIN = NodeQuestions.LIMIT.minusMillis(300);

    private final ActiveRules active;
    private final RuleStore store;
    private final RuleReplica replica;
    private final RuleAnnouncer announcer;
    private final NodeQuestions questions;
    private final ListenerMethods methods;
    private final RuleDryRuns dryRuns;

    /** The version of rules for which a node waits, and the one that it then applies. */
    private record Version(long number) {}

    /** @param methods those that rules can name */
    public RuleAdministration(
            ActiveRules active,
            RuleStore store,
            RuleReplica replica,
            RuleAnnouncer announcer,
            NodeQuestions questions,
            ListenerMethods methods) {
        this.active = active;
        this.store = store;
        this.replica = replica;
        this.announcer = announcer;
        this.questions = questions;
        this.methods = methods;
        this.dryRuns = new RuleDryRuns(questions);
    }

    /** Answers the questions of all nodes, this one included. Called once. */
    public void answer() {
        questions.answer(QuestionKind.RULES, (question, _) -> {
            long version = FORMAT.decode(question).number();
            Answers.await(active.whenApplied(version), APPLIED_WITHIN, "the rules", StoreUnavailableException::new);
            return FORMAT.encode(new Version(active.version()));
        });
    }

    /** Answers the questions of all nodes about the clients of this one. Called once. */
    public void answerDryRuns(LocalSessions sessions) {
        dryRuns.answer(sessions);
    }

    /**
     * Finds out what proposed rules would change for the connected clients of the cluster. Changes nothing.
     *
     * @throws RuleSyntaxException if the text is not a set of rules
     */
    public DryRun dryRun(String text) throws RuleSyntaxException {
        RuleSet.read(text, methods);
        return dryRuns.of(text);
    }

    /** Returns the rules that this node applies. */
    public ActiveRules active() {
        return active;
    }

    /** Returns the stored rules, or null if there are none. */
    public @Nullable StoredRules find() {
        return store.find();
    }

    /**
     * Replaces the rules of the cluster.
     *
     * @param present the version that is replaced, or 0 if there are no rules
     * @return null if another change came first
     * @throws RuleSyntaxException if the text is not a set of rules; nothing has changed
     * @throws StoreUnavailableException if the store does not answer
     */
    public @Nullable ChangedRules replace(long present, String text, String changedBy) throws RuleSyntaxException {
        RuleSet.read(text, methods);
        StoredRules stored = store.replace(present, Math.max(present, active.version()) + 1, text, changedBy);
        if (stored == null) {
            return null;
        }
        SortedMap<Incarnation, NodeId> members = questions.members();
        if (!isAnnounced(stored)) {
            SortedMap<String, String> missing = new TreeMap<>();
            members.values().forEach(each -> missing.put(each.value(), NOT_ANNOUNCED));
            return new ChangedRules(stored, List.of(), missing);
        }
        byte[] question = FORMAT.encode(new Version(stored.version()));
        return changed(
                stored, members, questions.askAll(QuestionKind.RULES, question).join());
    }

    private boolean isAnnounced(StoredRules stored) {
        return replica.announce(stored, announcer)
                .completeOnTimeout(false, ANNOUNCED_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private static ChangedRules changed(
            StoredRules stored, Map<Incarnation, NodeId> members, Map<Incarnation, NodeAnswer> answers) {
        List<String> applied = new ArrayList<>();
        SortedMap<String, String> missing = new TreeMap<>();
        answers.forEach((member, answer) -> {
            NodeId id = members.get(member);
            String name = id == null ? member.toString() : id.value();
            if (answer.bytes() != null) {
                applied.add(name);
            } else {
                missing.put(name, answer.toString());
            }
        });
        return new ChangedRules(stored, List.copyOf(applied), missing);
    }
}
