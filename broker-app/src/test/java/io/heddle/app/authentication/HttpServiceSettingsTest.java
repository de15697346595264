package io.heddle.app.authentication;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authentication.fairness.SignInFailures;
import io.heddle.core.client.ClientId;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.persistence.http.HttpAuthenticator;
import io.heddle.transport.certificate.TrialCertificates;
import io.heddle.transport.certificate.TrialCertificates.Issued;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Settings that cannot be used end the start; those that can are used: headers, and the trust in a service with TLS. */
final class HttpServiceSettingsTest {
    private static final String PREFIX = "heddle.authentication.http";

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    private final Map<String, String> values = new HashMap<>();
    private final TrialCertificates trial =
            new TrialCertificates(new SecureRandom(), Instant.now(), Duration.ofDays(60));
    private final Issued authority = trial.authority("Trial authority");
    private final ConcurrentLinkedQueue<String> apiKeys = new ConcurrentLinkedQueue<>();
    private @Nullable HttpServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    private HttpServiceSettings settings() {
        Map<String, String> all = new HashMap<>();
        values.forEach((name, value) -> all.put(PREFIX + "." + name, value));
        return new Binder(new MapConfigurationPropertySource(all)).bindOrCreate(PREFIX, HttpServiceSettings.class);
    }

    private void assertRejected(String sentence) {
        assertThatThrownBy(() -> settings().check(true))
                .isInstanceOf(StartupException.class)
                .message()
                .contains(sentence)
                .doesNotContain("top-secret");
    }

    private String file(String content) throws IOException {
        return Files.writeString(directory.resolve("file"), content).toString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        https://host/?p=${password}     | heddle.authentication.http.url has ${password}, which would end up in logs
        https://host/?p=${user}         | heddle.authentication.http.url has an unknown placeholder
        http://host/                    | begins with http://, so anybody on the way could read the passwords: use https://, or allow it with heddle.authentication.http.allow-http=true
        http://192.0.2.1/${clientId}    | begins with http://
        ldap://host/                    | is not the address of a web server
        /connect                        | is not the address of a web server
        https://user:top-secret@host/   | is not the address of a web server
        https://host/#top               | is not the address of a web server
        https://host/a b                | is not an address
        https://host/${clientId}/{x}    | is not an address
        """)
    void anAddressThatCannotBeUsedIsRejected(String url, String sentence) {
        values.put("url", url);

        assertRejected(sentence);
    }

    @ParameterizedTest
    @CsvSource({
        "https://host/?id=${clientId}",
        "https://host",
        "http://localhost:8080/",
        "http://127.0.0.1/",
        "http://[::1]/x"
    })
    void otherAddressesAreAccepted(String url) {
        values.put("url", url);

        settings().check(true);
    }

    @Test
    void plainHttpCanBeAllowed() {
        values.putAll(Map.of("url", "http://host/", "allow-http", "true"));

        settings().check(true);
    }

    @ParameterizedTest
    @CsvSource({
        "X-API-Key",
        "X API Key: top-secret",
        ": top-secret",
        "Host: top-secret",
        "Content-Length: 5",
        "X-Key: top\u0001-secret"
    })
    void aLineThatIsNoHeaderIsRejectedAndNotShown(String line) throws IOException {
        values.putAll(Map.of("url", "https://host/", "header-file", file("X-Tenant: 1\n\n" + line + "\n")));

        assertRejected(
                "heddle.authentication.http.header-file names a file whose line 3 is no header that can be sent");
    }

    @Test
    void aHeaderThatIsRepeatedOrHasThePasswordIsRejected() throws IOException {
        values.putAll(Map.of("url", "https://host/", "header-file", file("X-Key: 1\nx-key: 2\n")));
        assertRejected("line 2");

        values.put("header-file", file("authorization: Bearer top-secret"));
        settings().check(true);
        values.put("method", "GET");
        assertRejected("has the password of the client if the method is GET");
    }

    @Test
    void filesThatCannotBeReadAreRejected() throws IOException {
        values.putAll(Map.of("url", "https://host/", "header-file", "/no/such/file"));
        assertRejected("heddle.authentication.http.header-file names a file that cannot be read");

        values.remove("header-file");
        values.put("trust-store", "/no/such/file");
        assertRejected("heddle.authentication.http.trust-store is /no/such/file, which cannot be read");

        values.put("trust-store", file("no certificate"));
        assertRejected("heddle.authentication.http.trust-store is");
    }

    private String start(String certificateHost) throws GeneralSecurityException, IOException {
        Issued issued = trial.server(authority, List.of(certificateHost));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", issued.key(), new char[0], new Certificate[] {issued.certificate()});
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(context));
        https.createContext("/", exchange -> {
            try (exchange) {
                apiKeys.add(exchange.getRequestHeaders().getFirst("X-API-Key"));
                exchange.sendResponseHeaders(204, -1);
            }
        });
        https.start();
        server = https;
        return "https://127.0.0.1:" + https.getAddress().getPort() + "/";
    }

    private @Nullable AuthenticationOutcome decide() {
        SteadyClock clock = new SteadyClock(InstantSource.system(), System::nanoTime);
        SignInFailures failures =
                new SignInFailures(Duration.ofMillis(1), Duration.ZERO, Duration.ofMinutes(1), System::nanoTime);
        try (HttpAuthenticator service = settings().toAuthenticator(failures, clock, new SimpleMeterRegistry())) {
            return service.authenticate(new ConnectCredentials(
                    new ClientId("pump"),
                    "alice",
                    BinaryData.wrap("secret".getBytes(UTF_8)),
                    new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 1)));
        }
    }

    private void assertUnavailable() {
        assertThat(decide())
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE));
        assertThat(apiKeys).isEmpty();
    }

    @Test
    void aServiceWhoseAuthorityIsInTheFileIsAskedWithTheHeaders() throws Exception {
        values.putAll(Map.of("url", start("127.0.0.1"), "trust-store", file(authority.certificatePem())));
        Path headers = Files.writeString(directory.resolve("headers"), "X-API-Key: top-secret\n");
        values.put("header-file", headers.toString());

        assertThat(decide()).isInstanceOf(Accepted.class);

        assertThat(Objects.requireNonNull(apiKeys.poll())).isEqualTo("top-secret");
    }

    @Test
    void aServiceOfAnotherAuthorityGetsNoPassword() throws Exception {
        values.put("url", start("127.0.0.1"));
        assertUnavailable();

        values.put("trust-store", file(trial.authority("Another authority").certificatePem()));
        assertUnavailable();
    }

    @Test
    void aServiceWithAnotherNameGetsNoPassword() throws Exception {
        values.putAll(Map.of("url", start("elsewhere.example"), "trust-store", file(authority.certificatePem())));

        assertUnavailable();
    }
}
