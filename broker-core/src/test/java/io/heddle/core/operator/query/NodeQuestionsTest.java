package io.heddle.core.operator.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.link.NoLinks;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.operator.query.NodeAnswer.Outcome;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.TestView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class NodeQuestionsTest {
    private static final QuestionKind KIND = QuestionKind.CLIENTS;

    private final AskingCluster cluster = new AskingCluster();
    private final Incarnation a = cluster.serve("a");
    private final Incarnation b = cluster.serve("b");
    private final Incarnation c = cluster.serve("c");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(NodeAnswer answer) {
        return new String(Objects.requireNonNull(answer.bytes()), StandardCharsets.UTF_8);
    }

    private void answer(Incarnation node, String prefix) {
        cluster.of(node).answer(KIND, (question, _) -> bytes(prefix + new String(question, StandardCharsets.UTF_8)));
    }

    @Test
    void allNodesAnswerIncludingTheOneThatAsks() {
        answer(a, "a:");
        answer(b, "b:");
        answer(c, "c:");

        CompletableFuture<Map<Incarnation, NodeAnswer>> all = cluster.of(a).askAll(KIND, bytes("?"));
        cluster.run();

        assertThat(all.join().values()).extracting(NodeQuestionsTest::text).containsExactly("a:?", "b:?", "c:?");
        assertThat(cluster.of(a).members()).containsEntry(c, new NodeId("c"));
        assertThat(cluster.counted("answered")).isEqualTo(3);
    }

    @Test
    void aNodeWithoutLinksAnswersItself() {
        TestView log = new TestView(1);
        Incarnation alone = log.serve("alone");
        NodeQuestions questions =
                new NodeQuestions(new NoLinks(), new ManualEventLoop(0), Runnable::run, new SimpleMeterRegistry());
        questions.onJoined(alone, log.view());
        questions.answer(KIND, (question, maximumBytes) -> new byte[maximumBytes]);

        assertThat(questions.askAll(KIND, bytes("?")).join().values())
                .extracting(NodeAnswer::outcome)
                .containsExactly(Outcome.ANSWERED);
        assertThat(questions.maximumBytes()).isEqualTo(1 << 20);
    }

    @Test
    void aNodeThatHasNotServedYetIsNotAsked() {
        cluster.log.write(new Joined(new NodeDescription(new NodeId("d"), "", "", NodeDescription.FORMATS, 3), 0));
        cluster.of(a).onView(cluster.log.view());

        assertThat(cluster.of(a).members()).containsOnlyKeys(a, b, c);
    }

    @Test
    void aLostAnswerIsMissingAfterTheLimit() {
        answer(b, "");
        CompletableFuture<NodeAnswer> answer = cluster.of(a).ask(b, KIND, bytes("?"));
        cluster.links.deliver();
        cluster.links.cut(b, a);
        cluster.run();

        cluster.timers.advance(NodeQuestions.LIMIT.minusNanos(1));
        cluster.run();
        assertThat(answer).isNotDone();
        cluster.timers.advance(Duration.ofNanos(1));
        cluster.run();

        assertThat(answer.join().outcome()).isEqualTo(Outcome.TIMED_OUT);
        cluster.links.heal(b, a);
        cluster.run();
        assertThat(cluster.counted("answered")).as("the late answer").isZero();
        assertThat(cluster.counted("timed_out")).isEqualTo(1);
    }

    @Test
    void theOthersAnswerWhileOneNodeIsFrozen() {
        answer(a, "a:");
        answer(b, "b:");
        cluster.links.cut(c, a);

        CompletableFuture<Map<Incarnation, NodeAnswer>> all = cluster.of(a).askAll(KIND, bytes("?"));
        cluster.run();
        cluster.timers.advance(NodeQuestions.LIMIT);
        cluster.run();

        assertThat(all.join())
                .extractingByKey(b)
                .extracting(NodeQuestionsTest::text)
                .isEqualTo("b:?");
        assertThat(all.join())
                .extractingByKey(c)
                .extracting(NodeAnswer::outcome)
                .isEqualTo(Outcome.TIMED_OUT);
    }

    @Test
    void anEndedMemberIsMissingAtOnce() {
        CompletableFuture<NodeAnswer> answer = cluster.of(a).ask(b, KIND, bytes("?"));
        cluster.links.end(a, b);
        cluster.run();

        assertThat(answer.join().outcome()).isEqualTo(Outcome.ENDED);
        cluster.log.kill(a, b);
        cluster.of(a).onView(cluster.log.view());
        assertThat(cluster.of(a).members()).containsOnlyKeys(a, c);
        CompletableFuture<NodeAnswer> next = cluster.of(a).ask(b, KIND, bytes("?"));
        cluster.run();
        assertThat(next.join().outcome()).isEqualTo(Outcome.ENDED);
    }

    @Test
    void anActionDoesNotWaitForALinkThatIsDown() {
        List<String> asked = new ArrayList<>();
        cluster.of(b).answer(KIND, (question, _) -> {
            asked.add(new String(question, StandardCharsets.UTF_8));
            return question;
        });
        cluster.links.cut(a, b);
        CompletableFuture<NodeAnswer> answer = cluster.of(a).ask(b, KIND, bytes("disconnect"));
        cluster.run();
        cluster.links.heal(a, b);
        cluster.run();

        assertThat(answer.join().outcome()).isEqualTo(Outcome.UNREACHABLE);
        assertThat(asked).isEmpty();
    }

    @Test
    void questionsAboveTheBoundAreBusyUntilOthersAreAnswered() {
        answer(b, "");
        List<CompletableFuture<NodeAnswer>> open = new ArrayList<>();
        for (int i = 0; i < NodeQuestions.MAXIMUM_OUTSTANDING; i++) {
            open.add(cluster.of(a).ask(b, KIND, bytes("?")));
        }
        CompletableFuture<NodeAnswer> refused = cluster.of(a).ask(b, KIND, bytes("?"));
        CompletableFuture<NodeAnswer> ofOther = cluster.of(c).ask(b, KIND, bytes("?"));
        cluster.run();

        assertThat(refused.join().outcome()).isEqualTo(Outcome.BUSY);
        assertThat(ofOther.join().outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(open).allSatisfy(each -> assertThat(each.join().outcome()).isEqualTo(Outcome.ANSWERED));
        CompletableFuture<NodeAnswer> next = cluster.of(a).ask(b, KIND, bytes("?"));
        cluster.run();
        assertThat(next.join().outcome()).isEqualTo(Outcome.ANSWERED);
    }

    @Test
    void aNodeWhoseHandlersAreStuckRefusesFurtherQuestions() {
        answer(b, "");
        for (int i = 0; i < NodeQuestions.MAXIMUM_OUTSTANDING; i++) {
            var _ = cluster.of(a).ask(b, KIND, bytes("?"));
        }
        cluster.links.deliver();
        cluster.timers.advance(NodeQuestions.LIMIT);

        CompletableFuture<NodeAnswer> refused = cluster.of(a).ask(b, KIND, bytes("?"));
        cluster.links.deliver();
        cluster.run();

        assertThat(refused.join().outcome()).isEqualTo(Outcome.BUSY);
        CompletableFuture<NodeAnswer> next = cluster.of(a).ask(b, KIND, bytes("?"));
        cluster.run();
        assertThat(next.join().outcome()).isEqualTo(Outcome.ANSWERED);
    }

    @Test
    void aQuestionWithoutHandlerHasFailed() {
        CompletableFuture<NodeAnswer> answer = cluster.of(a).ask(b, KIND, bytes("?"));
        cluster.run();

        assertThat(answer.join().outcome()).isEqualTo(Outcome.FAILED);
    }

    @Test
    void aHandlerThatThrowsHasFailed() {
        cluster.of(b).answer(KIND, (_, _) -> {
            throw new IllegalStateException("a bug");
        });

        CompletableFuture<NodeAnswer> answer = cluster.of(a).ask(b, KIND, bytes("?"));
        cluster.run();

        assertThat(answer.join().outcome()).isEqualTo(Outcome.FAILED);
    }

    @Test
    void anAnswerMayFillAFrameButNoMore() {
        cluster.of(b).answer(KIND, (question, maximumBytes) -> new byte[maximumBytes + question.length]);

        CompletableFuture<NodeAnswer> largest = cluster.of(a).ask(b, KIND, new byte[0]);
        CompletableFuture<NodeAnswer> larger = cluster.of(a).ask(b, KIND, new byte[1]);
        cluster.run();

        assertThat(largest.join().bytes()).hasSize(AskingCluster.MAXIMUM_PAYLOAD_BYTES - QueryFrame.HEADER_BYTES);
        assertThat(larger.join().outcome()).isEqualTo(Outcome.FAILED);
        assertThatThrownBy(() -> cluster.of(a).ask(b, KIND, new byte[AskingCluster.MAXIMUM_PAYLOAD_BYTES]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void onlySmallFramesUseTheControlLane() {
        NodeLinks links = cluster.links.node(a);

        assertThat(NodeQuestions.lane(links, 5, 4 << 10)).isEqualTo(NodeLinks.CONTROL);
        assertThat(NodeQuestions.lane(links, 5, (4 << 10) + 1)).isEqualTo(2);
        assertThat(NodeQuestions.lane(links, 6, (4 << 10) + 1)).isEqualTo(1);
    }

    @Test
    void aKindHasOneHandler() {
        answer(a, "");
        assertThatThrownBy(() -> answer(a, "")).isInstanceOf(IllegalArgumentException.class);
    }
}
