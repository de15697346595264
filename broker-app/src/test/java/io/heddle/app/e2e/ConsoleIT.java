package io.heddle.app.e2e;

import static java.util.Objects.requireNonNull;

import io.heddle.app.e2e.browser.Chromium;
import io.heddle.app.launcher.OwnProcesses;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console of three brokers with 100,000 sessions, as administrators use it in Chromium. All cases share the brokers; the pages are checked after
 * the tasks, which leave something to show, and the last task stops a broker.
 */
@OwnProcesses(because = "nodes are drained, and their sessions need heaps of their own")
@Tag("ci")
@Tag("alone")
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
final class ConsoleIT {
    static final int SESSIONS = 100_000;

    private static @Nullable Chromium browser;
    private static @Nullable ConsoleUnderTest started;

    @BeforeAll
    @Timeout(value = 6, unit = TimeUnit.MINUTES)
    static void start(@TempDir Path directory) throws Exception {
        browser = Chromium.start();
        started = ConsoleUnderTest.start(browser, directory, SESSIONS);
    }

    @AfterAll
    static void stop() {
        try (Chromium _ = browser) {
            if (started != null) {
                started.close();
            }
        }
    }

    private static ConsoleUnderTest console() {
        return requireNonNull(started);
    }

    @Nested
    @Order(1)
    final class Explanations extends ConsoleExplanationCases {
        Explanations() {
            super(console());
        }
    }

    @Nested
    @Order(2)
    final class Pages extends ConsolePageCases {
        Pages() {
            super(console());
        }
    }

    @Nested
    @Order(3)
    final class Tasks extends ConsoleTaskCases {
        Tasks() {
            super(console());
        }
    }
}
