package io.heddle.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

final class FailureLogTest {
    /** The level, format and arguments of each line. */
    private final List<List<Object>> lines = new ArrayList<>();

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final LogRateLimit limit = FailureLog.limit(nanos::get);

    private final Logger log = (Logger) Proxy.newProxyInstance(
            Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (_, method, arguments) -> {
                List<Object> line = new ArrayList<>(List.of(method.getName()));
                line.addAll(Arrays.asList(arguments));
                lines.add(line);
                return null;
            });

    @Test
    void storeFailureIsLoggedInOneLineWithItsStackTraceAtDebug() {
        StoreUnavailableException failure = new StoreUnavailableException(
                "Redis did not answer \"apply\"",
                new IllegalStateException("Redis did not answer \"apply\"", new TimeoutException("after 2 s")));
        CompletionException wrapped = new CompletionException(failure);

        FailureLog.warn(log, limit, "clientId=a: not opened", wrapped);

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
    void causeWithoutMessageIsLoggedByItsClassName() {
        FailureLog.warn(log, limit, "x", new StoreUnavailableException("no answer", new TimeoutException()));

        assertThat(lines.getFirst()).last().isEqualTo("no answer: TimeoutException");
    }

    @Test
    void bugIsLoggedWithItsStackTrace() {
        RuntimeException bug = new IllegalStateException("a bug");

        FailureLog.warn(log, limit, "x", bug);

        assertThat(lines).containsExactly(List.of("warn", "{}", "x", bug));
    }

    @Test
    void clientLibraryExceptionIsLoggedInOneLine() {
        FailureLog.warn(log, limit, "x", new CompletionException(new TimeoutException("no answer within 5 s")));
        FailureLog.warn(log, limit, "y", new TimeoutException());

        assertThat(lines)
                .filteredOn(line -> line.getFirst().equals("warn"))
                .containsExactly(
                        List.of("warn", "{}: {}", "x", "no answer within 5 s"),
                        List.of("warn", "{}: {}", "y", "TimeoutException"));
    }

    @Test
    void failureMayBeNull() {
        FailureLog.warn(log, limit, "x", null);

        assertThat(lines).containsExactly(Arrays.asList("warn", "{}", "x", null));
    }

    @Test
    void wrappersOfFuturesAreRemoved() {
        Throwable wrapped = new CompletionException(
                new ExecutionException(new CompletionException(new StoreUnavailableException("no answer", null))));

        FailureLog.warn(log, limit, "x", wrapped);

        assertThat(lines.getFirst()).containsExactly("warn", "{}: {}", "x", "no answer");
    }

    @Test
    void causesDifferByTheirWordsAndByTheTypeOfTheFailure() {
        TimeoutException late = new TimeoutException("after 2 s");
        FailureLog.Cause cause = FailureLog.cause("log", "Cannot open, clientId=a", late);

        assertThat(FailureLog.cause("log", "Cannot open, clientId=b", new CompletionException(late)))
                .isEqualTo(cause);
        assertThat(FailureLog.cause("log", "Cannot close, clientId=a", late)).isNotEqualTo(cause);
        assertThat(FailureLog.cause("other", "Cannot open, clientId=a", late)).isNotEqualTo(cause);
        assertThat(FailureLog.cause("log", "Cannot open, clientId=a", null)).isNotEqualTo(cause);
        assertThat(FailureLog.cause("log", "Cannot open, clientId=a", new StoreUnavailableException("no", null)))
                .isNotEqualTo(cause);
    }

    @Test
    void failuresAboveTheRateAreSuppressedAndCounted() {
        StoreUnavailableException failure = new StoreUnavailableException("no answer", null);
        for (int i = 0; i < 1_000; i++) {
            FailureLog.warn(log, limit, "clientId=" + i, failure);
        }
        assertThat(lines).filteredOn(line -> line.getFirst().equals("warn")).hasSize(FailureLog.MAXIMUM_LINES);

        lines.clear();
        nanos.addAndGet(FailureLog.WINDOW.toNanos());
        FailureLog.warn(log, limit, "clientId=a", failure);
        FailureLog.warn(log, limit, "clientId=b", failure);

        assertThat(lines)
                .filteredOn(line -> line.getFirst().equals("warn"))
                .extracting(line -> line.get(2))
                .containsExactly("clientId=a (997 more failures suppressed)", "clientId=b");
    }
}
