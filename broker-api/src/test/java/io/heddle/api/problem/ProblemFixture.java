package io.heddle.api.problem;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.slf4j.LoggerFactory;

/** A server for all tests of a class, whose administrator is ada, and what is logged during a test. */
abstract class ProblemFixture {
    private static final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    @AutoClose
    static ApiServer server;

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    ApiClient client;

    @BeforeAll
    static void start() {
        server = new ApiServer();
        server.administrators().put("ada", "right", AdminRole.ADMIN, server.passwordHash());
    }

    @BeforeEach
    void listen() {
        client = server.client();
        logged.start();
        root.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        root.detachAppender(logged);
        client.close();
    }

    /** Returns what is logged at a level or above it. */
    final List<ILoggingEvent> logged(Level level) {
        return List.copyOf(logged.list).stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(level))
                .toList();
    }
}
