package io.heddle.api.security;

import static io.heddle.api.testkit.ApiClient.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.core.administration.AdminRole;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sign-in over HTTP. Each test has its own user and address. */
final class SignInTest extends SignInFixture {
    private static final String NODE = "/api/v1/node";

    private static final String METRICS = "/actuator/prometheus";

    @BeforeEach
    void createUser() {
        server.administrators().put(user, "right", AdminRole.ADMIN, server.passwordHash());
    }

    @Test
    void aVerifiedPasswordIsNotHashedAgainForAWhile() throws Exception {
        double accepted = counted("accepted");
        double remembered = counted("remembered");
        int before = server.passwordHash().verifications();

        for (int i = 0; i < 5; i++) {
            assertThat(client.get(NODE, user, "right").statusCode()).isEqualTo(200);
        }

        assertThat(server.passwordHash().verifications()).isEqualTo(before + 1);
        assertThat(counted("accepted")).isEqualTo(accepted + 1);
        assertThat(counted("remembered")).isEqualTo(remembered + 4);
    }

    @Test
    void aWrongPasswordIsHashedEachTimeAlsoAfterARightOne() throws Exception {
        double refused = counted("refused");
        client.get(NODE, user, "right");
        int before = server.passwordHash().verifications();

        problem(client.get(NODE, user, "wrong"), 401);
        problem(client.get(NODE, user, "wrong"), 401);

        assertThat(server.passwordHash().verifications()).isEqualTo(before + 2);
        assertThat(counted("refused")).isEqualTo(refused + 2);
    }

    @Test
    void anUnknownNameIsIndistinguishableFromAWrongPassword() throws Exception {
        int before = server.passwordHash().verifications();

        HttpResponse<String> unknown = client.get(NODE, "unknown-" + user, "right");
        assertThat(server.passwordHash().verifications()).isEqualTo(before + 1);
        HttpResponse<String> wrong = client.get(NODE, user, "wrong");

        assertThat(problem(unknown, 401)).isEqualTo(problem(wrong, 401));
        assertThat(unknown.headers().map().keySet())
                .isEqualTo(wrong.headers().map().keySet());
    }

    @Test
    void aNewPasswordADemotionAndARemovalTakeEffectImmediately() throws Exception {
        assertThat(client.get(NODE, user, "right").statusCode()).isEqualTo(200);

        server.administrators().put(user, "new", AdminRole.VIEWER, server.passwordHash());
        problem(client.get(NODE, user, "right"), 401);
        assertThat(client.get(NODE, user, "new").statusCode()).isEqualTo(200);
        problem(
                client.send(client.request("/test/things", user, "new")
                        .header("Content-Type", "application/json")
                        .DELETE()),
                403);

        server.administrators().remove(user);
        problem(client.get(NODE, user, "new"), 401);
    }

    @Test
    void tenWrongPasswordsLockTheNameAtTheirAddressOnly() throws Exception {
        double limited = counted("limited");
        for (int i = 0; i < 10; i++) {
            problem(client.get(NODE, user, "guess " + i), 401);
        }
        int before = server.passwordHash().verifications();

        HttpResponse<String> locked = client.get(NODE, user, "right");

        problem(locked, 429);
        assertThat(Long.parseLong(locked.headers().firstValue("Retry-After").orElseThrow()))
                .isBetween(1L, 60L);
        assertThat(server.passwordHash().verifications())
                .as("the password is not checked")
                .isEqualTo(before);
        assertThat(counted("limited")).isEqualTo(limited + 1);
        try (ApiClient elsewhere = server.client()) {
            assertThat(elsewhere.get(NODE, user, "right").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void tenWrongNamesDoNotLockOthersAtTheAddress() throws Exception {
        for (int i = 0; i < 10; i++) {
            problem(client.get(NODE, "guess-" + i + user, "right"), 401);
        }

        assertThat(client.get(NODE, user, "right").statusCode()).isEqualTo(200);
    }

    @Test
    void aLockoutDoesNotAffectAnAdministratorWhoSignedInRecently() throws Exception {
        assertThat(client.get(NODE, user, "right").statusCode()).isEqualTo(200);
        try (ApiClient guesser = server.client()) {
            for (int i = 0; i < 10; i++) {
                problem(guesser.get(NODE, user, "guess " + i), 401);
            }
            problem(guesser.get(NODE, user, "guess"), 429);
        }

        assertThat(client.get(NODE, user, "right").statusCode()).isEqualTo(200);
    }

    @Test
    void requestsWithoutCredentialsCauseNoLockout() throws Exception {
        for (int i = 0; i < 20; i++) {
            problem(client.get(NODE), 401);
        }

        assertThat(client.get(NODE, user, "right").statusCode()).isEqualTo(200);
    }

    @Test
    void anUnavailableStoreRejectsSignInsWithoutALockout() throws Exception {
        double unavailable = counted("unavailable");
        assertThat(client.get(NODE, user, "right").statusCode()).isEqualTo(200);
        server.administrators().goDown();

        for (int i = 0; i < 11; i++) {
            HttpResponse<String> response = client.get(NODE, user, i % 2 == 0 ? "right" : "wrong");
            assertThat(problem(response, 503).path("detail").asString()).startsWith("PostgreSQL has not answered");
            assertThat(response.headers().firstValue("Retry-After")).hasValue("5");
        }
        assertThat(client.get("/actuator/health").statusCode()).isEqualTo(200);
        problem(client.get(NODE), 401);
        assertThat(counted("unavailable")).isEqualTo(unavailable + 11);

        server.administrators().recover();
        assertThat(client.get(NODE, user, "right").statusCode()).isEqualTo(200);
    }

    @Test
    void whoHasSignedInReadsMetricsWithoutTheStore() throws Exception {
        int answer = client.get(METRICS, user, "right").statusCode();
        assertThat(answer).isNotIn(401, 403, 503);
        server.administrators().put("stranger", "right", AdminRole.ADMIN, server.passwordHash());
        server.administrators().goDown();
        double withoutStore = counted("without_store");

        assertThat(client.get(METRICS, user, "right").statusCode()).isEqualTo(answer);
        assertThat(client.get(METRICS, user, "right").statusCode()).isEqualTo(answer);
        assertThat(counted("without_store")).isEqualTo(withoutStore + 2);
        server.passwordHash().forget();
        int before = server.passwordHash().verifications();
        assertThat(client.get(METRICS, user, "right").statusCode()).isEqualTo(answer);
        assertThat(client.get(METRICS, user, "right").statusCode()).isEqualTo(answer);
        assertThat(server.passwordHash().verifications())
                .as("the password is hashed once")
                .isEqualTo(before + 1);
        for (String name : List.of(user, "stranger")) {
            assertThat(problem(client.get(METRICS, name, "wrong"), 503)
                            .path("detail")
                            .asString())
                    .startsWith("PostgreSQL has not answered");
        }
        problem(client.get(METRICS, "stranger", "right"), 503);
        problem(client.get(NODE, user, "right"), 503);
        problem(client.get(METRICS + "/x", user, "right"), 503);

        server.administrators().recover();
        server.administrators().put(user, "another", AdminRole.ADMIN, server.passwordHash());
        problem(client.get(NODE, user, "right"), 401);
        server.administrators().goDown();
        problem(client.get(METRICS, user, "right"), 503);
    }

    @Test
    void metricsDoNotWaitForAStoreThatDoesNotAnswer() throws Exception {
        int answer = client.get(METRICS, user, "right").statusCode();
        server.administrators().freeze();

        assertThat(client.get(METRICS, user, "right").statusCode()).isEqualTo(answer);
        assertThat(problem(client.get(METRICS, "nobody", "right"), 503)
                        .path("detail")
                        .asString())
                .startsWith("PostgreSQL has not answered");
    }
}
