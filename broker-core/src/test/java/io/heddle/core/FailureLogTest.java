package io.heddle.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

final class FailureLogTest {
    /** Level, format and arguments of each line. */
    private final List<List<Object>> lines = new ArrayList<>();

    private final Logger log = (Logger) Proxy.newProxyInstance(
            Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (_, method, arguments) -> {
                List<Object> line = new ArrayList<>(List.of(method.getName()));
                line.addAll(Arrays.asList(arguments));
                lines.add(line);
                return null;
            });

    @Test
    void aStoreThatDidNotAnswerIsOneLineAndItsStackIsForDebugging() {
        StoreUnavailableException failure = new StoreUnavailableException(
                "Redis did not answer \"apply\"",
                new IllegalStateException("Redis did not answer \"apply\"", new TimeoutException("after 2 s")));
        CompletionException wrapped = new CompletionException(failure);

        FailureLog.warn(log, "clientId=a: not opened", wrapped);

        assertThat(lines)
                .containsExactly(
                        List.of(
                                "warn",
                                "{}: {}",
                                "clientId=a: not opened",
                                "Redis did not answer \"apply\": after 2 s"),
                        List.of("debug", "{}", "clientId=a: not opened", wrapped));
    }

    @Test
    void aCauseWithoutWordsIsNamed() {
        FailureLog.warn(log, "x", new StoreUnavailableException("no answer", new TimeoutException()));

        assertThat(lines.getFirst()).last().isEqualTo("no answer: TimeoutException");
    }

    @Test
    void anythingElseHasItsStack() {
        RuntimeException bug = new IllegalStateException("a bug");

        FailureLog.warn(log, "x", bug);

        assertThat(lines).containsExactly(List.of("warn", "{}", "x", bug));
    }

    @Test
    void theReasonMayBeUnknown() {
        FailureLog.warn(log, "x", null);

        assertThat(lines).containsExactly(Arrays.asList("warn", "{}", "x", null));
    }
}
