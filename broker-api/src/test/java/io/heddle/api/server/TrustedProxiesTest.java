package io.heddle.api.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Requests with the header X-Forwarded-For. */
final class TrustedProxiesTest {
    @AutoClose
    private static ApiServer server;

    @BeforeAll
    static void start() {
        server = new ApiServer();
        server.administrators().put("ada", "right", AdminRole.ADMIN, server.passwordHash());
    }

    private static HttpResponse<String> delete(ApiClient client, String password, String... forwarded)
            throws Exception {
        HttpRequest.Builder request = client.request("/api/v1/client/session?clientId=absent", "ada", password)
                .DELETE();
        for (String each : forwarded) {
            request.header("X-Forwarded-For", each);
        }
        return client.send(request);
    }

    private static String audited() {
        return server.auditLog().entries().getLast().attempt().address();
    }

    @Test
    void theLastAddressBeforeTheProxiesIsThatOfTheClient() throws Exception {
        try (ApiClient proxy = server.proxy()) {
            delete(proxy, "right", "192.0.2.1, 198.51.100.7, 2001:db8:a::1, 2001:db8:9::9, 127.9.9.8");
            assertThat(audited()).isEqualTo("198.51.100.7");

            delete(proxy, "right", "192.0.2.1", "2001:db8::1");
            assertThat(audited()).isEqualTo("2001:db8::1");

            delete(proxy, "right");
            assertThat(audited()).isEqualTo("127.9.9.9");
        }
    }

    @Test
    void othersCannotChooseTheirAddress() throws Exception {
        try (ApiClient client = server.client()) {
            delete(client, "right", "198.51.100.7");

            assertThat(audited()).startsWith("127.0.");
        }
    }

    @Test
    void wrongPasswordsLockTheClientBehindTheProxyAndNoOther() throws Exception {
        try (ApiClient proxy = server.proxy()) {
            HttpResponse<String> refused = delete(proxy, "wrong", "203.0.113.1");
            for (int i = 0; i < 20 && refused.statusCode() == 401; i++) {
                refused = delete(proxy, "wrong", "203.0.113.1");
            }
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(delete(proxy, "wrong", "203.0.113.1").statusCode()).isEqualTo(429);

            assertThat(delete(proxy, "wrong", "203.0.113.2").statusCode()).isEqualTo(401);
        }
    }
}
