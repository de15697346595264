package io.heddle.persistence.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.KeyedHash;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is sent about a client: each value is data, whatever is in it. */
final class ServiceRequestsTest {
    private static final ServiceRequests POST = ServiceRequests.parse("https://host/connect", true);
    private static final ServiceRequests GET = ServiceRequests.parse(
            "https://host/connect?id=${clientId}&user=${username}&from=${address}&at=${listener}&v=1", false);

    static ConnectCredentials credentials(String clientId, @Nullable String userName, byte @Nullable [] password) {
        return new ConnectCredentials(
                new ClientId(clientId),
                userName,
                password == null ? null : BinaryData.wrap(password),
                new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 4711),
                () -> false,
                true,
                null,
                "tls-1");
    }

    private static ServiceRequest request(ServiceRequests requests, ConnectCredentials credentials) {
        return Objects.requireNonNull(requests.of(credentials), "a request");
    }

    private static JsonNode json(ServiceRequest request) {
        return JsonMapper.shared().readTree(request.body().array());
    }

    @Test
    void postHasAllValuesInTheBody() {
        ServiceRequest request = request(POST, credentials("pump", "alice", "secret".getBytes(UTF_8)));

        assertThat(request.address()).isEqualTo(URI.create("https://host/connect"));
        assertThat(request.authorization()).isNull();
        assertThat(json(request)).isEqualTo(JsonMapper.shared().readTree("""
                        {"clientId": "pump", "username": "alice", "password": "secret", "address": "192.0.2.1",
                         "listener": "tls-1"}"""));
        assertThat(request.toHttp().build().headers().map())
                .isEqualTo(Map.of("Accept", List.of("application/json"), "Content-Type", List.of("application/json")));
        assertThat(request).asString().doesNotContain("secret");
    }

    @Test
    void missingValuesAreNullInTheBody() {
        assertThat(json(request(POST, credentials("pump", null, "secret".getBytes(UTF_8))))
                        .get("username")
                        .isNull())
                .isTrue();
        assertThat(json(request(POST, credentials("pump", "alice", null)))
                        .get("password")
                        .isNull())
                .isTrue();
    }

    @Test
    void getHasUserNameAndPasswordInTheHeader() {
        byte[] binary = {(byte) 0xff, 0, ':'};

        ServiceRequest request = request(GET, credentials("pump", "alice", binary));

        assertThat(request.address())
                .isEqualTo(URI.create("https://host/connect?id=pump&user=alice&from=192.0.2.1&at=tls-1&v=1"));
        assertThat(request.authorization())
                .isEqualTo("Basic " + Base64.getEncoder().encodeToString("alice:\u00ff\u0000:".getBytes(ISO_8859_1)));
        assertThat(request.body()).isEqualTo(BinaryData.EMPTY);
        assertThat(request(GET, credentials("pump", null, bytes("x"))).authorization())
                .isEqualTo("Basic " + Base64.getEncoder().encodeToString(":x".getBytes(UTF_8)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/../b?x=1&y#%00",
                "x&user=admin",
                "x\r\nX-Admin: 1",
                "\"},{\"clientId\":\"admin\",\"a\":\"",
                "back\\slash 'quotes' \"",
                "${username}",
                "a+b c%20d",
                "grüße 漢字 😀 \u202e",
                "..",
                "\u0000\u0001",
                "@evil.example:80/;a=b"
            })
    void hostileValuesStayValues(String hostile) {
        ConnectCredentials shown = credentials(hostile, hostile.replace(":", ""), hostile.getBytes(UTF_8));

        JsonNode sent = json(request(POST, shown));
        assertThat(sent.size()).isEqualTo(5);
        assertThat(sent.get("clientId").asString()).isEqualTo(hostile);
        assertThat(sent.get("username").asString()).isEqualTo(shown.userName());
        assertThat(sent.get("password").asString()).isEqualTo(hostile);

        URI address = request(GET, shown).address();
        assertThat(address.getRawAuthority()).isEqualTo("host");
        assertThat(address.getRawPath()).isEqualTo("/connect");
        assertThat(address.getRawFragment()).isNull();
        String[] query = address.getRawQuery().split("&", -1);
        assertThat(query).hasSize(5);
        assertThat(URLDecoder.decode(query[0].substring("id=".length()), UTF_8)).isEqualTo(hostile);
        assertThat(query[0]).matches("id=[A-Za-z0-9._*%-]+");
        assertThat(query[4]).isEqualTo("v=1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {"pump|pump", "a b?c#d%e&f|a%20b%3Fc%23d%25e%26f", "ü|%C3%BC", "...|...", "a..b|a..b"})
    void aValueInThePathIsOneSegment(String clientId, String segment) {
        ServiceRequests requests = ServiceRequests.parse("https://host/clients/${clientId}/connect", true);

        assertThat(request(requests, credentials(clientId, "alice", null)).address())
                .isEqualTo(URI.create("https://host/clients/" + segment + "/connect"));
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "a/b", "/", "a\\b", "a/../b?x=1&y#%00"})
    void aValueThatServersCouldReadAsAnotherPathIsNotSent(String clientId) {
        for (String address : List.of("https://host/${clientId}", "https://host/clients/${clientId}?a=b")) {
            assertThat(ServiceRequests.parse(address, true).of(credentials(clientId, "alice", null)))
                    .isNull();
        }
        assertThat(ServiceRequests.parse("https://host/${username}", true).of(credentials("pump", "", null)))
                .isNull();
    }

    @Test
    void aClientThatCannotBeAskedAboutIsLeftToTheNextMethod() {
        assertThat(POST.of(credentials("pump", null, null))).isNull();
        assertThat(POST.of(credentials("pump", "alice", new byte[] {(byte) 0xc3, 0x28})))
                .isNull();
        assertThat(GET.of(credentials("pump", "a:b", bytes("c")))).isNull();
    }

    @Test
    void valuesThatAreTooLongAreNotSent() {
        String most = "ü".repeat(2_048);
        assertThat(POST.of(credentials(most, most, bytes(most)))).isNotNull();

        assertThat(POST.of(credentials(most + "x", "alice", null))).isNull();
        assertThat(POST.of(credentials("pump", most + "x", null))).isNull();
        assertThat(POST.of(credentials("pump", "alice", bytes(most + "x")))).isNull();
        assertThat(GET.of(credentials("pump", "alice", bytes("x".repeat(4_097)))))
                .isNull();
    }

    @Test
    void addressAndHeaderOfGetHaveABoundTogether() {
        ServiceRequests requests = ServiceRequests.parse("https://host/?${clientId}", false);
        String head = "https://host/?Basic " + Base64.getEncoder().encodeToString(bytes("alice:" + "x".repeat(3_000)));
        String longest = "c".repeat(8_000 - head.length());

        assertThat(requests.of(credentials(longest, "alice", bytes("x".repeat(3_000)))))
                .isNotNull();
        assertThat(requests.of(credentials(longest + "c", "alice", bytes("x".repeat(3_000)))))
                .isNull();
    }

    @Test
    void requestsThatDifferHaveDifferentHashes() {
        KeyedHash hash = new KeyedHash(new SecureRandom());
        Set<BinaryData> hashes = new HashSet<>();
        for (ServiceRequests requests : List.of(POST, GET)) {
            hashes.add(
                    request(requests, credentials("pump", "alice", bytes("x"))).hash(hash));
            hashes.add(
                    request(requests, credentials("pump", "alice", bytes("y"))).hash(hash));
            hashes.add(request(requests, credentials("pump", "bob", bytes("x"))).hash(hash));
            hashes.add(
                    request(requests, credentials("valve", "alice", bytes("x"))).hash(hash));
        }

        assertThat(hashes).hasSize(8);
        assertThat(hashes)
                .contains(
                        request(POST, credentials("pump", "alice", bytes("x"))).hash(hash));
        assertThat(hashes)
                .doesNotContain(request(POST, credentials("pump", "alice", bytes("x")))
                        .hash(new KeyedHash(new SecureRandom())));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        https://host/?p=${password}            | has ${password}, which would end up in logs
        https://host/?p=${user}                | has an unknown placeholder
        https://host/?p=${}                    | has an unknown placeholder
        https://${clientId}/                   | has a placeholder in front of its path
        https://host${clientId}                | has a placeholder in front of its path
        ${clientId}                            | has a placeholder in front of its path
        https://host/a${clientId}/             | has a placeholder in a part of its path
        https://host/${clientId}a              | has a placeholder in a part of its path
        https://host/${clientId}${username}    | has a placeholder in a part of its path
        """)
    void otherAddressesAreRejected(String address, String expected) {
        assertThatThrownBy(() -> ServiceRequests.parse(address, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void theServiceKnowsTheClientIdIfItIsSent() {
        assertThat(POST.hasClientId()).isTrue();
        assertThat(GET.hasClientId()).isTrue();
        assertThat(ServiceRequests.parse("https://host/", false).hasClientId()).isFalse();
    }
}
