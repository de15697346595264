package io.heddle.core.operator.rule;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.operator.rule.RuleDryRun.Loss;
import io.heddle.core.operator.rule.RuleDryRun.Result;
import io.heddle.core.session.LocalSessions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Asks all nodes which subscriptions of their connected clients proposed rules would deny, and which of the latest decisions they would take
 * otherwise. Thread-safe; blocks.
 *
 * <pre>
 * question: u8 format, 2; the rest: the rules in UTF-8
 * answer:   u8 format, 2; i64 clients; i64 subscriptions; i64 losing clients; i64 lost subscriptions;
 *           u16 number of losses; each: text client id; u8 has a user name; text user name; text filter;
 *           the decisions, see {@link RehearsalFormat}
 * </pre>
 */
final class RuleDryRuns {
    private static final int FORMAT = 2;
    private static final int MAXIMUM_LOSSES = 1_000;
    private static final int MAXIMUM_CHANGES = 1_000;
    private static final int HEADER_BYTES = 64;

    private final NodeQuestions questions;

    RuleDryRuns(NodeQuestions questions) {
        this.questions = questions;
    }

    /** Answers the questions of all nodes, this one included. Called once. */
    void answer(LocalSessions sessions) {
        questions.answer(QuestionKind.DRY_RUN, (question, maximumBytes) -> {
            FrameReader in = new FrameReader("a question about proposed rules", question);
            in.version(FORMAT);
            RuleSet proposed;
            try {
                proposed = RuleSet.read(new String(in.rest(), UTF_8));
            } catch (RuleSyntaxException wrong) {
                throw in.malformed(String.valueOf(wrong.getMessage()));
            }
            CompletionStage<Result> subscriptions = RuleDryRun.of(sessions, proposed, MAXIMUM_LOSSES);
            CompletionStage<List<RehearsedDecisions>> decisions = DecisionRehearsal.of(sessions.decisions(), proposed);
            return encode(
                    await(subscriptions), RehearsedDecisions.merge(await(decisions), MAXIMUM_CHANGES), maximumBytes);
        });
    }

    private static <T> T await(CompletionStage<T> ofLoops) {
        return Answers.await(
                ofLoops, NodeQuestions.LIMIT, "the dry run of the event loops", StoreUnavailableException::new);
    }

    /** Returns what the proposed rules would change, as far as the nodes have answered. */
    DryRun of(String text) {
        List<DryRun.NodeLoss> losses = new ArrayList<>();
        List<RehearsedDecisions> rehearsed = new ArrayList<>();
        List<String> answered = new ArrayList<>();
        long[] totals = new long[4];
        byte[] question =
                new BinaryWriter().u8(FORMAT).raw(text.getBytes(UTF_8)).toBytes();
        List<String> missing = questions.forEachAnswer(QuestionKind.DRY_RUN, question, (node, answer) -> {
            add(node, answer, totals, losses, rehearsed);
            answered.add(node);
        });
        return new DryRun(
                totals[0],
                totals[1],
                totals[2],
                totals[3],
                losses.subList(0, Math.min(losses.size(), MAXIMUM_LOSSES)),
                RehearsedDecisions.merge(rehearsed, MAXIMUM_CHANGES),
                answered,
                missing);
    }

    /** Encodes the first losses that fit into half of the bytes, and the first changes that fit into the rest. */
    private static byte[] encode(Result result, RehearsedDecisions rehearsed, int maximumBytes) {
        List<Loss> fitting = new ArrayList<>();
        int bytes = HEADER_BYTES;
        for (Loss each : result.losses()) {
            bytes += encode(new BinaryWriter(), each).toBytes().length;
            if (bytes > maximumBytes / 2) {
                break;
            }
            fitting.add(each);
        }
        BinaryWriter out = new BinaryWriter()
                .u8(FORMAT)
                .i64(result.clients())
                .i64(result.subscriptions())
                .i64(result.losingClients())
                .i64(result.lostSubscriptions())
                .u16(fitting.size());
        fitting.forEach(each -> encode(out, each));
        RehearsalFormat.encode(out, rehearsed, maximumBytes - out.length());
        return out.toBytes();
    }

    private static BinaryWriter encode(BinaryWriter out, Loss loss) {
        String userName = loss.userName();
        return out.text(loss.clientId())
                .u8(userName == null ? 0 : 1)
                .text(userName == null ? "" : userName)
                .text(loss.topicFilter());
    }

    private static void add(
            String node,
            byte[] bytes,
            long[] totals,
            List<DryRun.NodeLoss> losses,
            List<RehearsedDecisions> rehearsed) {
        FrameReader in = new FrameReader("an answer about proposed rules", bytes);
        in.version(FORMAT);
        long[] counts = {in.i64(), in.i64(), in.i64(), in.i64()};
        List<DryRun.NodeLoss> ofNode = new ArrayList<>();
        int count = in.u16();
        for (int i = 0; i < count; i++) {
            String clientId = in.text();
            boolean hasUserName = in.u8() == 1;
            String userName = in.text();
            ofNode.add(new DryRun.NodeLoss(node, new Loss(clientId, hasUserName ? userName : null, in.text())));
        }
        RehearsedDecisions decisions = RehearsalFormat.decode(in);
        for (int i = 0; i < counts.length; i++) {
            totals[i] += counts[i];
        }
        losses.addAll(ofNode);
        rehearsed.add(decisions.at(node));
    }
}
