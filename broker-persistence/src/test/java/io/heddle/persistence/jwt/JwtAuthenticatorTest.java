package io.heddle.persistence.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jose4j.keys.HmacKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JwtAuthenticatorTest {
    private static final Instant NOW = Instant.parse("2026-11-01T12:00:00Z");
    /** The broker was started with a wrong time of day. */
    private static final SteadyClock STEADY = new SteadyClock(() -> Instant.EPOCH, () -> 0);

    private static final Duration SKEW = Duration.ofSeconds(5);
    private static final Signer SIGNER = Signer.of("ES256");

    private String userNameClaim = "";
    private String typeClaim = "";
    private String groupsClaim = "";
    private List<String> attributeClaims = List.of();
    private boolean expiryRequired = true;
    private Instant now = NOW;
    private boolean gone;

    private final Map<String, String> required = new HashMap<>();
    private final Map<String, Object> claims = new HashMap<>(Map.of("exp", NOW.getEpochSecond() + 60));

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private @Nullable AuthenticationOutcome decide(KeySet keys, String password) {
        return decide(keys, "pump", "alice", password);
    }

    private @Nullable AuthenticationOutcome decide(
            KeySet keys, String clientId, @Nullable String userName, @Nullable String password) {
        ClaimRules rules = new ClaimRules(
                required,
                expiryRequired,
                SKEW,
                orNull(userNameClaim),
                orNull(typeClaim),
                orNull(groupsClaim),
                attributeClaims);
        JwtAuthenticator authenticator = new JwtAuthenticator(
                new FileKeys(Path.of("keys"), () -> keys, new SimpleMeterRegistry()), rules, () -> now, STEADY);
        ConnectCredentials shown = new ConnectCredentials(
                new ClientId(clientId),
                userName,
                password == null ? null : BinaryData.wrap(password.getBytes(UTF_8)),
                new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 1),
                () -> gone,
                true,
                null,
                "");
        AuthenticationOutcome outcome = authenticator.authenticate(shown);
        assertThat(authenticator.mayApply(shown)).isEqualTo(outcome != null);
        return outcome;
    }

    private @Nullable AuthenticationOutcome decide() {
        return decide(SIGNER.keys(), SIGNER.token(claims));
    }

    private Accepted accepted() {
        assertThat(decide()).isInstanceOf(Accepted.class);
        return (Accepted) Objects.requireNonNull(decide());
    }

    private static ClientIdentity identity(ClientType type, @Nullable String userName, boolean ownsClientId) {
        return new ClientIdentity(new ClientId("pump"), type, userName, ownsClientId, SIGNER.tokenKey());
    }

    private static void assertRefused(@Nullable AuthenticationOutcome outcome, String detail) {
        assertThat(outcome).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.reason()).isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
            assertThat(refused.detail()).contains(detail);
        });
    }

    // Signatures.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384",
                "ES512", "EdDSA"
            })
    void tokensOfTheOwnerOfTheKeyAreAcceptedAndOthersAreNot(String algorithm) {
        Signer owner = Signer.of(algorithm);
        String token = owner.token(claims);

        assertThat(decide(owner.keys(), token))
                .isEqualTo(new Accepted(
                        new ClientIdentity(new ClientId("pump"), ClientType.DEVICE, null, false, owner.tokenKey()),
                        Set.of(),
                        Map.of(),
                        Instant.ofEpochSecond(65)));
        assertRefused(decide(owner.other().keys(), token), "signature");
        assertRefused(decide(owner.keys(), changedPayload(token)), "signature");
        assertRefused(decide(owner.keys(), token.substring(0, token.lastIndexOf('.') + 1)), "");
        assertThat(decide(KeySet.ofJwkSet(owner.jwkSet("1"), true), owner.token("1", claims)))
                .isInstanceOf(Accepted.class);
        assertRefused(decide(KeySet.ofJwkSet(owner.jwkSet("1"), true), owner.token("2", claims)), "no key fits");
        if (!algorithm.startsWith("HS")) {
            assertThat(decide(KeySet.ofFile(owner.pem()), token)).isInstanceOf(Accepted.class);
        }
    }

    private static String changedPayload(String token) {
        String[] parts = token.split("\\.", -1);
        return parts[0] + "." + base64("{\"exp\":4000000000,\"admin\":true}") + "." + parts[2];
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }

    /** RFC 7515, appendices A.1 and A.3. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"} | eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9 | dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
        {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"} | eyJhbGciOiJFUzI1NiJ9 | DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q
        """)
    void theExamplesOfTheStandardAreAccepted(String key, String header, String signature) {
        String payload =
                "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
        required.put("http://example.com/is_root", "true");
        now = Instant.ofEpochSecond(1_300_819_379);

        assertThat(decide(KeySet.ofJwkSet("{\"keys\":[" + key + "]}", true), header + "." + payload + "." + signature))
                .isInstanceOf(Accepted.class);
    }

    @Test
    void theTokenDoesNotChooseTheAlgorithm() {
        Signer rsa = Signer.of("RS256");
        // The attack: the public key, which everybody knows, as the secret of HMAC.
        Signer confused = new Signer("HS256", new HmacKey(rsa.pem().getBytes(UTF_8)), rsa.verifying());
        Signer encoded = new Signer("HS256", new HmacKey(rsa.verifying().getEncoded()), rsa.verifying());
        String unsigned = base64("{\"alg\":\"none\"}") + "." + base64("{\"exp\":4000000000}") + ".";

        assertRefused(decide(rsa.keys(), confused.token(claims)), "no key fits");
        assertRefused(decide(rsa.keys(), encoded.token(claims)), "no key fits");
        assertRefused(decide(rsa.keys(), unsigned), "no key fits");
        assertRefused(decide(Signer.of("HS256").keys(), unsigned), "no key fits");
        assertRefused(decide(SIGNER.keys(), Signer.of("ES384").token(claims)), "no key fits");
    }

    @Test
    void aKeyWithAnAlgorithmHasNoOther() {
        Signer owner = Signer.of("RS256");
        String jwkSet = owner.jwkSet("1").replace("\"kid\"", "\"alg\":\"PS256\",\"kid\"");

        assertThat(decide(KeySet.ofJwkSet(jwkSet, false), owner.with("PS256").token(claims)))
                .isInstanceOf(Accepted.class);
        assertRefused(decide(KeySet.ofJwkSet(jwkSet, false), owner.token(claims)), "no key fits");
    }

    @Test
    void aShortSecretHasNoLongHash() {
        Signer owner = Signer.of("HS256");

        assertRefused(decide(owner.keys(), owner.with("HS512").token(claims)), "no key fits");
    }

    @Test
    void unknownCriticalParametersAreRefused() {
        String token = SIGNER.token(claims);
        String header = base64("{\"alg\":\"ES256\",\"crit\":[\"x\"],\"x\":1}");

        assertRefused(decide(SIGNER.keys(), header + token.substring(token.indexOf('.'))), "");
    }

    // Passwords for other methods.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "secret",
                "a.b",
                "a.b.c",
                "..",
                "e30.e30.e30",
                "eyJhbGciOjF9.e30.e30",
                "eyJhbGciOiJFUzI1NiJ9.e30.e30.e30",
                "eyJhbGciOiJFUzI1NiJ9.e 0.e30",
                "eyJhbGciOiJFUzI1NiJ9.é.e30",
                "eyJhbGciOiJFUzI1NiJ.e30.e30"
            })
    void otherPasswordsAreLeftToOtherMethods(String password) {
        assertThat(decide(SIGNER.keys(), password)).isNull();
    }

    @Test
    void aClientWithoutPasswordIsLeftToOtherMethods() {
        assertThat(decide(SIGNER.keys(), "pump", null, null)).isNull();
    }

    @Test
    void deeplyNestedTextIsRefusedInTime() {
        String nested = "[".repeat(20_000);

        assertThat(decide(SIGNER.keys(), base64("{\"alg\":" + nested) + ".e30.e30"))
                .isNull();
        assertRefused(decide(SIGNER.keys(), SIGNER.sign(null, "{\"exp\":" + nested)), "malformed");
        assertRefused(decide(SIGNER.keys(), SIGNER.sign(null, "no JSON")), "malformed");
        assertRefused(decide(SIGNER.keys(), SIGNER.sign(null, "{\"exp\":" + "9".repeat(30_000) + "}")), "");
    }

    @Test
    void theTokenOfAClientThatHasLeftIsNotVerified() {
        gone = true;

        assertThatThrownBy(this::decide).isInstanceOf(SignInBusyException.class);
    }

    // Time.

    @ParameterizedTest
    @CsvSource({
        "exp, 60, accepted",
        "exp, -4, accepted",
        "exp, -5, has expired",
        "exp, -600, has expired",
        "nbf, 5, accepted",
        "nbf, 6, not valid yet",
        "nbf, -1, accepted"
    })
    void aTokenIsValidFromNbfToExp(String claim, int seconds, String expected) {
        claims.put(claim, NOW.getEpochSecond() + seconds);

        if (expected.equals("accepted")) {
            accepted();
        } else {
            assertRefused(decide(), expected);
        }
    }

    @Test
    void aTokenWithoutEndIsRefusedUnlessAllowed() {
        claims.remove("exp");
        assertRefused(decide(), "the token has no claim exp");

        expiryRequired = false;
        assertThat(accepted().validUntil()).isNull();

        claims.put("exp", "tomorrow");
        assertRefused(decide(), "the claim exp of the token is not a number");
    }

    @Test
    void aTokenMayBeValidForAges() {
        claims.put("exp", Long.MAX_VALUE);

        assertThat(accepted().validUntil()).isAfter(Instant.parse("5000-01-01T00:00:00Z"));
    }

    // Required claims.

    @Test
    void aRequiredClaimMustHaveItsValue() {
        required.put("iss", "https://issuer.example");
        required.put("aud", "heddle");
        assertRefused(decide(), "of the token has another value");

        claims.put("iss", "https://issuer.example");
        claims.put("aud", List.of("other", "heddle"));
        accepted();

        claims.put("aud", List.of("other", List.of("heddle")));
        assertRefused(decide(), "the claim aud of the token has another value");
        claims.put("aud", Map.of("heddle", "heddle"));
        assertRefused(decide(), "the claim aud");
        claims.put("aud", "Heddle");
        assertRefused(decide(), "the claim aud");
    }

    @Test
    void integersAndBooleansAreComparedAsTexts() {
        required.put("tenant", "7");
        required.put("iot", "true");
        claims.put("tenant", 7);
        claims.put("iot", true);
        accepted();

        claims.put("tenant", 7.0);
        assertRefused(decide(), "the claim tenant");
    }

    @Test
    void aClaimWithTheClientIdProvesIt() {
        required.put("sub", "device:${clientId}");
        claims.put("sub", "device:pump");

        assertThat(accepted().identity()).isEqualTo(identity(ClientType.DEVICE, null, true));
        assertRefused(decide(SIGNER.keys(), "valve", "alice", SIGNER.token(claims)), "the claim sub");
        assertRefused(decide(SIGNER.keys(), "${clientId}", "alice", SIGNER.token(claims)), "the claim sub");
        claims.put("sub", List.of("device:valve", "device:pump"));
        assertThat(accepted().identity().ownsClientId()).isTrue();
    }

    @Test
    void theUserNameOfTheClientCountsOnlyIfAClaimProvesIt() {
        assertThat(accepted().identity().userName()).isNull();

        required.put("sub", "${username}");
        claims.put("sub", "alice");
        assertThat(accepted().identity()).isEqualTo(identity(ClientType.DEVICE, "alice", false));
        assertRefused(decide(SIGNER.keys(), "pump", "bob", SIGNER.token(claims)), "the claim sub");
        assertRefused(decide(SIGNER.keys(), "pump", null, SIGNER.token(claims)), "the claim sub");
        claims.put("sub", "");
        assertRefused(decide(SIGNER.keys(), "pump", "", SIGNER.token(claims)), "the claim sub");
    }

    @ParameterizedTest
    @CsvSource({"a/b, a/b, true", "a:b, a:b, true", "+, #, false", "'${clientId}', pump, false", "a, a/b, false"})
    void separatorsInNamesHaveNoMeaning(String userName, String claim, boolean matches) {
        required.put("sub", "x/${username}/y");
        claims.put("sub", "x/" + claim + "/y");

        assertThat(decide(SIGNER.keys(), "pump", userName, SIGNER.token(claims)) instanceof Accepted)
                .isEqualTo(matches);
    }

    // Claims that describe the client.

    @Test
    void claimsDescribeTheClient() {
        userNameClaim = "name";
        typeClaim = "kind";
        groupsClaim = "roles";
        attributeClaims = List.of("site", "line", "absent");
        claims.putAll(Map.of(
                "name", "Zoë", "kind", "application", "roles", List.of("a", "b", "a"), "site", "paris", "line", 7));

        Accepted accepted = accepted();

        assertThat(accepted.identity()).isEqualTo(identity(ClientType.APPLICATION, "Zoë", false));
        assertThat(accepted.groups()).containsExactlyInAnyOrder("a", "b");
        assertThat(accepted.attributes()).isEqualTo(Map.of("site", "paris", "line", "7"));

        claims.put("roles", "one role");
        claims.remove("kind");
        assertThat(accepted().groups()).containsExactly("one role");
        assertThat(accepted().identity().type()).isEqualTo(ClientType.DEVICE);
        claims.remove("roles");
        assertThat(accepted().groups()).isEmpty();
    }

    @Test
    void aNameWithDotsIsThatOfAMemberOfAnObject() {
        groupsClaim = "realm_access.roles";
        attributeClaims = List.of("place.site", "place.line.no", "kind.of");
        claims.put("realm_access", Map.of("roles", List.of("operators")));
        claims.put("place", Map.of("site", "paris"));
        claims.put("kind", "text");

        assertThat(accepted().groups()).containsExactly("operators");
        assertThat(accepted().attributes()).isEqualTo(Map.of("place.site", "paris"));

        claims.put("realm_access.roles", List.of("claims with this name count first"));
        assertThat(accepted().groups()).containsExactly("claims with this name count first");
    }

    @Test
    void claimsThatDescribeNoClientAreRefused() {
        userNameClaim = "name";
        assertRefused(decide(), "the token has no claim name with the user name");
        for (Object wrong : List.of("", 7.5, List.of("alice"), "a\nb", "a\0")) {
            claims.put("name", wrong);
            assertRefused(decide(), "the claim name of the token");
        }
        assertRefused(
                decide(SIGNER.keys(), SIGNER.sign(null, "{\"exp\":4000000000,\"name\":\"\\ud800\"}")),
                "the claim name");
        claims.put("name", "alice");
        accepted();

        typeClaim = "kind";
        claims.put("kind", "toaster");
        assertRefused(decide(), "neither DEVICE nor APPLICATION");
        claims.put("kind", "DEVICE");
        groupsClaim = "roles";
        claims.put("roles", List.of("a", Map.of()));
        assertRefused(decide(), "the claim roles");
        claims.remove("roles");
        attributeClaims = List.of("site");
        claims.put("site", List.of("paris"));
        assertRefused(decide(), "the claim site");
    }
}
