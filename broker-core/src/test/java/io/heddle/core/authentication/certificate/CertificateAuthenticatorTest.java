package io.heddle.core.authentication.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.authentication.certificate.CertificateNames.Source;
import io.heddle.core.client.ClientCertificate;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CertificateAuthenticatorTest {
    private static final Instant EXPIRY = Instant.parse("2030-01-01T00:00:00Z");
    /** The broker was started with a wrong time of day. */
    private static final SteadyClock STEADY = new SteadyClock(() -> Instant.EPOCH, () -> 0);

    private static final String FINGERPRINT = "ab".repeat(32);
    private static final ClientCertificate PUMP = new ClientCertificate(
            "CN=pump-1,OU=plant 7,O=Example",
            "CN=Plants,O=Example",
            "pump-1",
            List.of("pump-1.example", "pump-1.plant-7.example"),
            List.of("spiffe://example/plant-7/pump-1"),
            List.of("pump-1@example"),
            FINGERPRINT,
            EXPIRY);

    private final InMemoryCredentialsStore store = new InMemoryCredentialsStore();
    private CertificateNames names = new CertificateNames(Source.CN, null);
    private boolean isClientId;
    private boolean needsStored;

    private @Nullable AuthenticationOutcome connect(
            String clientId, @Nullable String userName, @Nullable ClientCertificate certificate) {
        CertificateAuthenticator authenticator = new CertificateAuthenticator(
                names, isClientId, needsStored, store, () -> EXPIRY.minusSeconds(60), STEADY);
        ConnectCredentials shown = new ConnectCredentials(
                new ClientId(clientId),
                userName,
                null,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                () -> false,
                true,
                certificate,
                "mqtts");
        assertThat(authenticator.mayApply(shown)).isEqualTo(certificate != null);
        return authenticator.authenticate(shown);
    }

    private Accepted accepted(String clientId) {
        return (Accepted) Objects.requireNonNull(connect(clientId, "any", PUMP));
    }

    private void assertRefused(String clientId) {
        assertThat(connect(clientId, "any", PUMP))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(ReasonCode.NOT_AUTHORIZED));
    }

    private StoredCredentials put(@Nullable String clientId, @Nullable String userName, String proof) {
        StoredCredentials stored = new StoredCredentials(
                UUID.randomUUID(),
                clientId == null ? null : new ClientId(clientId),
                userName,
                ClientType.APPLICATION,
                List.of("pumps"),
                proof,
                null);
        store.put(stored);
        return stored;
    }

    private static String pinned(String text) {
        return Objects.requireNonNull(CertificatePin.parse(text)).stored();
    }

    @Test
    void theNameInTheCertificateCountsAndNotThatOfConnect() {
        Accepted accepted = accepted("c");

        assertThat(accepted.identity().userName()).isEqualTo("pump-1");
        assertThat(accepted.identity().type()).isEqualTo(ClientType.DEVICE);
        assertThat(accepted.identity().ownsClientId()).isFalse();
        assertThat(accepted.identity().proof()).isNull();
        assertThat(accepted.attributes()).containsEntry("cn", "pump-1");
        assertThat(accepted.validUntil()).isEqualTo(Instant.ofEpochSecond(60));
    }

    @Test
    void aClientWithoutACertificateIsLeftToTheNextMethod() {
        assertThat(connect("c", "pump-1", null)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "CN, , pump-1",
        "CN, 'pump-(\\d+)', 1",
        "CN, 'ump-1', ",
        "DNS, , pump-1.example",
        "DNS, '([^.]+)\\.plant-7\\.example', pump-1",
        "URI, 'spiffe://example/(.+)', plant-7/pump-1",
        "URI, '(x)?spiffe://.*', ",
        "EMAIL, , pump-1@example",
        "SUBJECT, '.*,OU=([^,]+),O=Example', plant 7",
        "SUBJECT, , 'CN=pump-1,OU=plant 7,O=Example'"
    })
    void theUserNameIsAPartOfTheCertificate(Source source, @Nullable String pattern, @Nullable String expected) {
        names = new CertificateNames(source, pattern == null ? null : Pattern.compile(pattern));

        AuthenticationOutcome outcome = connect("c", null, PUMP);

        assertThat(outcome == null ? null : ((Accepted) outcome).identity().userName())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CN", "DNS", "URI", "EMAIL"})
    void aCertificateWithoutTheNameIsLeftToTheNextMethod(Source source) {
        names = new CertificateNames(source, null);
        ClientCertificate nameless =
                new ClientCertificate("", "CN=Plants", "", List.of(), List.of(), List.of(), FINGERPRINT, EXPIRY);

        assertThat(connect("c", null, nameless)).isNull();
    }

    @Test
    void aCertificateWithAnEndlessNameIsLeftToTheNextMethod() {
        names = new CertificateNames(Source.URI, Pattern.compile("spiffe://example/((?:[a-z0-9]|-)+)"));
        List<String> uris = List.of("spiffe://example/" + "a".repeat(20_000));
        ClientCertificate endless =
                new ClientCertificate("", "CN=Plants", "", List.of(), uris, List.of(), FINGERPRINT, EXPIRY);

        assertThat(connect("c", null, endless)).isNull();
    }

    @Test
    void aClientIdThatMustBeTheNameBelongsToTheClient() {
        isClientId = true;

        assertThat(accepted("pump-1").identity().ownsClientId()).isTrue();
        assertRefused("pump-2");
    }

    @Test
    void clientsNeedStoredCredentialsIfTheSettingSaysSo() {
        needsStored = true;
        assertRefused("c");

        put(null, "pump-1", pinned("any"));

        assertThat(accepted("c").groups()).containsExactly("pumps");
    }

    @Test
    void storedCredentialsSupplyTypeAndGroupsAndTheirChangeEndsTheConnection() {
        StoredCredentials stored = put(null, "pump-1", "$argon2id$…");

        Accepted accepted = accepted("c");

        assertThat(accepted.identity().type()).isEqualTo(ClientType.APPLICATION);
        assertThat(accepted.identity().proof()).isEqualTo(stored.version());
        assertThat(accepted.groups()).containsExactly("pumps");
    }

    @ParameterizedTest
    @CsvSource({
        "any, true",
        "'issuer:CN=Plants,O=Example', true",
        "'issuer:CN=Plants', false",
        "sha256:" + "abababababababababababababababababababababababababababababababab" + ", true",
        "sha256:" + "bbababababababababababababababababababababababababababababababab" + ", false"
    })
    void onlyAPinnedCertificateProvesCredentials(String pin, boolean isAccepted) {
        put(null, "pump-1", pinned(pin));

        if (isAccepted) {
            assertThat(accepted("c").identity().userName()).isEqualTo("pump-1");
        } else {
            assertRefused("c");
        }
    }

    @Test
    void aReservedClientIdNeedsAProof() {
        put("other", "somebody", "$argon2id$…");
        put("by-password", null, "$argon2id$…");
        put("by-any", null, pinned("any"));
        put("by-authority", null, pinned("issuer:CN=Plants,O=Example"));
        put("by-fingerprint", null, pinned("sha256:" + FINGERPRINT));
        put("own", "pump-1", pinned("any"));

        assertRefused("other");
        assertRefused("by-password");
        assertRefused("by-any");
        assertRefused("by-authority");
        assertThat(accepted("by-fingerprint").identity().ownsClientId()).isTrue();
        assertThat(accepted("own").identity().ownsClientId()).isTrue();
    }

    @Test
    void aPinThatCannotBeReadAcceptsNothing() {
        put(null, "pump-1", CertificatePin.PREFIX + "later:form");

        assertRefused("c");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        CN=Plants, O=Example                       | CN=Plants,O=Example                                             | true
        cn=plants,o=EXAMPLE                        | CN=Plants,O=Example                                             | true
        CN="Plants" , O=Example                    | CN=Plants,O=Example                                             | true
        O=Example,CN=Plants                        | CN=Plants,O=Example                                             | false
        CN=Plants                                  | CN=Plants,O=Example                                             | false
        CN=Plants,O=Gr\\C3\\BC\\C3\\9Fe\\, Werk       | CN=Plants,O=Grüße\\, Werk                                       | true
        CN=Plants,emailAddress=ca@example.com      | CN=Plants,1.2.840.113549.1.9.1=#160e6361406578616d706c652e636f6d | true
        CN=Plants,O=Example                        | ''                                                              | false
        """)
    void namesOfAuthoritiesAreComparedAndNotTheirTexts(String pin, String issuer, boolean isAccepted) {
        put(null, "pump-1", pinned("issuer:" + pin));
        ClientCertificate shown = new ClientCertificate(
                "CN=pump-1", issuer, "pump-1", List.of(), List.of(), List.of(), FINGERPRINT, EXPIRY);

        assertThat(connect("c", "any", shown) instanceof Accepted).isEqualTo(isAccepted);
    }

    @Test
    void theCanonicalTextOfANameIsStored() {
        assertThat(pinned("issuer:cn=Plants , o=\"Example, Inc\""))
                .isEqualTo("$certificate$issuer:CN=Plants,O=Example\\, Inc");
    }

    @Test
    void aNameThatWasStoredInAnotherFormAdmitsItsClients() {
        put(null, "pump-1", CertificatePin.PREFIX + "issuer:CN=Plants, O=Example");

        assertThat(accepted("c").identity().userName()).isEqualTo("pump-1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        any                          | pump | ''
        any                          |      | do not prove a client id
        issuer:CN=Plants             | pump | ''
        issuer:CN=Plants             |      | do not prove a client id
        issuer:Plants                | pump | is not a distinguished name
        issuer:CN=a,                 | pump | is not a distinguished name
        issuer:CN=a\\0Ab             | pump | is not a distinguished name
        issuer:                      | pump | is not a distinguished name
        sha256:12                    | pump | Use any, issuer:
        """)
    void faultsSayWhatToDo(String text, @Nullable String userName, String expected) {
        String fault = CertificatePin.fault(text, userName);

        assertThat(fault == null ? "" : fault).contains(expected);
        assertThat(fault == null).isEqualTo(expected.isEmpty());
    }

    @Test
    void aRefusalBecauseOfAPinNamesTheCertificateThatWasShown() {
        put(null, "pump-1", pinned("issuer:CN=Others"));
        put("by-any", null, pinned("any"));

        for (String clientId : List.of("c", "by-any")) {
            assertThat(connect(clientId, "any", PUMP))
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.detail())
                                    .contains("sha256=" + FINGERPRINT, "issuer=\"CN=Plants,O=Example\""));
        }
    }

    @Test
    void pinsAreReadAsOpenSslPrintsThem() {
        assertThat(Objects.requireNonNull(CertificatePin.parse("sha256:" + "AB:".repeat(31) + "AB"))
                        .text())
                .isEqualTo("sha256:" + FINGERPRINT);
        assertThat(CertificatePin.ofStored(pinned("any"))).isEqualTo(CertificatePin.parse("any"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "all",
                "issuer:",
                "issuer:Plants",
                "issuer:CN=a\nb",
                "sha256:",
                "sha256:abcd",
                "sha256:zzababababababababababababababababababababababababababababababab",
                "sha1:abababababababababababababababababababab"
            })
    void otherTextsAreNoPins(String text) {
        assertThat(CertificatePin.parse(text)).isNull();
        assertThat(CertificatePin.ofStored("$certificate$" + text)).isNull();
        assertThat(CertificatePin.ofStored(text)).isNull();
    }
}
