package io.heddle.api.status;

import static io.heddle.api.testkit.ApiClient.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.lifecycle.ClusterRole;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

final class StatusPageTest {
    @Test
    void everybodySeesWhetherTheNodeServesAndNoMore() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            HttpResponse<String> page = client.get("/");

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
            assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'");
            assertThat(page.body())
                    .contains("serves clients", "\"/actuator/health\"", "\"/api-docs\"")
                    .doesNotContain("of the distribution", "1.2.3", "127.0.0.1", "<script", "style");
        }
    }

    @Test
    void browsersGetAnIconWithoutSignIn() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            HttpResponse<String> icon = client.get("/favicon.ico");

            assertThat(icon.statusCode()).isEqualTo(200);
            assertThat(icon.headers().firstValue("Content-Type")).hasValue("image/vnd.microsoft.icon");
            assertThat(icon.headers().firstValue("Cache-Control").orElse("")).contains("max-age=86400");
        }
    }

    @Test
    void aNodeThatDrainsDoesNotServeClients() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());
            server.setRole(ClusterRole.Role.LEAVING);

            assertThat(client.get("/").body()).contains("does not serve clients now");
            assertThat(client.get("/status", "vera", "looking").body())
                    .contains("<th scope=\"row\">Role</th><td>LEAVING</td>");
            assertThat(client.get("/api/v1/node", "vera", "looking").body())
                    .contains("\"state\":\"READY\",\"role\":\"LEAVING\"");
        }
    }

    @Test
    void administratorsSeeTheNode() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());

            problem(client.get("/status"), 401);
            assertThat(client.get("/status", "vera", "looking").body())
                    .contains(
                            "1.2.3",
                            "READY",
                            "SERVING",
                            "mqtt://127.0.0.1:1883",
                            "<td>3</td>",
                            "<td>7</td>",
                            "<td>a</td>");
        }
    }
}
