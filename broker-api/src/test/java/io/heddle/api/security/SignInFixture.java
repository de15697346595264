package io.heddle.api.security;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.api.testkit.Browser;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** A server for all tests of a class, each of which has a user, an address and a browser of its own. */
abstract class SignInFixture {
    private static @Nullable ApiServer running;

    final String user = "user-" + UUID.randomUUID();
    final ApiServer server = Objects.requireNonNull(running);
    final ApiClient client = server.client();
    final Browser browser = new Browser(client);

    @BeforeAll
    static void start() {
        running = new ApiServer();
    }

    @AfterAll
    static void stop() {
        Objects.requireNonNull(running).close();
    }

    @AfterEach
    final void recover() {
        server.administrators().recover();
        server.sessions().setDown(false);
        client.close();
    }

    final double counted(String outcome) {
        return server.registry()
                .get("heddle.admin.sign.in")
                .tag("outcome", outcome)
                .counter()
                .count();
    }
}
