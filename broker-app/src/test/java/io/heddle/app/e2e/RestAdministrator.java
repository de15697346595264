package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.admin.AdminCommand;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.administration.AdminUsers;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.mqtt.BinaryData;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An administrator of a broker under test, who uses REST and the commands {@code ./heddle admin}. */
final class RestAdministrator implements AutoCloseable {
    private static final String PASSWORD = "a password of a test";

    private final String name = "test-" + UUID.randomUUID();
    private final HttpClient http;
    private final AdminUsers users;
    private final String url;
    private final List<String> options;

    RestAdministrator(BrokerUnderTest broker) {
        this(broker, "http", HttpClient.newHttpClient(), List.of());
    }

    /** Trusts the authority of the broker's certificate. */
    RestAdministrator(BrokerUnderTest broker, TrialTls tls) {
        this(
                broker,
                "https",
                HttpClient.newBuilder().sslContext(tls.context()).build(),
                List.of("--ca-file", tls.authorityFile().toString()));
    }

    private RestAdministrator(BrokerUnderTest broker, String scheme, HttpClient http, List<String> options) {
        this.http = http;
        this.options = options;
        users = broker.part(AdminUsers.class);
        url = scheme + "://" + ListenerAddress.HOST + ":" + broker.httpPort();
        String hash = broker.part(PasswordHash.class).hash(BinaryData.wrap(PASSWORD.getBytes(UTF_8)));
        assertThat(users.create(new AdminUser(UUID.randomUUID(), name, hash, AdminRole.ADMIN)))
                .isTrue();
    }

    /** Returns the answer to a GET request. */
    JsonNode get(String path) throws IOException, InterruptedException {
        return JsonMapper.shared().readTree(text(path));
    }

    /** Returns the answer to a GET request as text. */
    String text(String path) throws IOException, InterruptedException {
        String credentials = Base64.getEncoder().encodeToString((name + ":" + PASSWORD).getBytes(UTF_8));
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(URI.create(url + path))
                        .header("Authorization", "Basic " + credentials)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    /** Runs a command that succeeds. */
    void command(String... words) throws IOException {
        Path password = Files.createTempFile("heddle-", ".password");
        try {
            Files.writeString(password, PASSWORD);
            List<String> arguments = new ArrayList<>(List.of(words));
            arguments.addAll(List.of("--url", url, "--username", name, "--password-file", password.toString()));
            arguments.addAll(options);
            assertThat(AdminCommand.run(arguments)).as(String.join(" ", words)).isZero();
        } finally {
            Files.delete(password);
        }
    }

    @Override
    public void close() {
        http.close();
        var _ = users.remove(name);
    }
}
