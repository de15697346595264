package io.heddle.app.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.app.admin.request.Answer;
import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class AwaitSteadyTest {
    private static final String STEADY = "{\"steady\": true, \"servingNodes\": 3, \"obstacles\": []}";
    private static final String JOINING = "{\"steady\": false, \"servingNodes\": 2, \"obstacles\": [\"c is joining\"]}";

    /** Returns the exit status for these answers, one after the other; the last one is repeated. */
    private static int await(List<String> options, String... answers) throws InterruptedException {
        Deque<String> left = new ArrayDeque<>(List.of(answers));
        AwaitSteady command = CommandLine.populateCommand(new AwaitSteady(), options.toArray(String[]::new));
        return command.await(() -> {
            String text = left.size() > 1 ? left.remove() : left.getFirst();
            if (text.isEmpty()) {
                throw new StartupException("no node answers", new IOException("refused"));
            }
            return Answer.of(text);
        });
    }

    @Test
    void theCommandSucceedsOnceTheClusterIsSteady() throws Exception {
        assertThat(await(List.of("--timeout=60"), JOINING, STEADY)).isZero();
    }

    @Test
    void theCommandFailsAfterItsTimeout() throws Exception {
        assertThat(await(List.of("--timeout=0"), JOINING)).isOne();
    }

    @Test
    void aSteadyClusterWithTooFewNodesIsNotEnough() throws Exception {
        assertThat(await(List.of("--timeout=0", "--nodes=4"), STEADY)).isOne();
        assertThat(await(List.of("--timeout=0", "--nodes=3"), STEADY)).isZero();
    }

    @Test
    void aNodeThatDoesNotAnswerMayBeStarting() throws Exception {
        assertThat(await(List.of("--timeout=60"), "", STEADY)).isZero();
        assertThat(await(List.of("--timeout=0"), "")).isOne();
    }

    @Test
    void aRefusalEndsTheWait() {
        AwaitSteady command = CommandLine.populateCommand(new AwaitSteady());

        assertThatThrownBy(() -> command.await(() -> {
                    throw new StartupException("the password is wrong", null);
                }))
                .isInstanceOf(StartupException.class);
    }
}
