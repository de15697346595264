package io.heddle.persistence.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.mqtt.BinaryData;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jose4j.jwk.JsonWebKeySet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files and texts that keys are read from. */
final class KeySetTest {
    private static final Signer CURVE = Signer.of("ES256");

    private static Token token(Signer signer, String keyId) {
        return Objects.requireNonNull(Token.parse(BinaryData.wrap(
                signer.token(keyId.isEmpty() ? null : keyId, Map.of()).getBytes(UTF_8))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        garbage                                                                        | is not a JWK Set
        {"keys":[1,"a",null]}                                                          | is not a JWK Set
        {"keys":"a"}                                                                   | is not a JWK Set
        {"keys":[]}                                                                    | without a key that can verify tokens
        {"keys":[{"kty":"EC","crv":"P-1","x":"AA","y":"AA"}  ]}                        | without a key that can verify tokens
        {"keys":[{"kty":"oct","k":"c2hvcnQ"}]}                                         | without a key that can verify tokens
        -----BEGIN PRIVATE KEY----- MII= -----END PRIVATE KEY-----                     | is not the PEM file of one public key
        -----BEGIN PUBLIC KEY----- MII=                                                | is not the PEM file of one public key
        -----BEGIN PUBLIC KEY----- MII= -----END PUBLIC KEY-----                       | has no usable public key
        """)
    void filesWithoutKeysAreRefusedWithTheReason(String text, String expected) {
        assertThatThrownBy(() -> KeySet.ofFile(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void aShortRsaKeyIsRefused() {
        Signer weak = Signer.ofRsa("RS256", Signer.rsa(1_024));

        assertThatThrownBy(() -> KeySet.ofFile(weak.pem())).hasMessageContaining("at least 2048 bits");
    }

    @Test
    void twoKeysInAPemFileAreRefused() {
        assertThatThrownBy(() -> KeySet.ofFile(CURVE.pem() + Signer.of("ES256").pem()))
                .hasMessageContaining("is not the PEM file of one public key");
    }

    @Test
    void aSecretIsTheBytesOfTheFile() {
        KeySet keys = KeySet.ofSecret(("s".repeat(32) + "\r\n").getBytes(UTF_8));

        assertThat(keys.keys().getFirst().key().getEncoded()).hasSize(32);
        assertThat(keys.keys().getFirst().algorithms()).containsExactly("HS256");
        assertThat(KeySet.ofSecret(new byte[64]).keys().getFirst().algorithms()).hasSize(3);
        assertThat(keys.toString()).doesNotContain("sss");
        assertThatThrownBy(() -> KeySet.ofSecret("short\n".getBytes(UTF_8)))
                .hasMessageContaining("a file with 5 bytes: use a secret of at least 32 bytes");
        assertThatThrownBy(() -> KeySet.ofSecret(Signer.of("RS256").pem().getBytes(UTF_8)))
                .hasMessageContaining("names a PEM file, which is no secret");
    }

    @Test
    void keysForOtherPurposesAreLeftOut() {
        String set = CURVE.jwkSet("1");

        assertThat(KeySet.ofJwkSet(set.replace("\"kid\"", "\"use\":\"sig\",\"key_ops\":[\"verify\"],\"kid\""), false)
                        .keys())
                .hasSize(1);
        for (String purpose : new String[] {"\"use\":\"enc\"", "\"key_ops\":[\"sign\"]", "\"alg\":\"ES256K\""}) {
            assertThatThrownBy(() -> KeySet.ofJwkSet(set.replace("\"kid\"", purpose + ",\"kid\""), false))
                    .hasMessageContaining("without a key");
        }
    }

    @Test
    void anAddressSuppliesNoSecrets() {
        String set = Signer.of("HS256").jwkSet("1");

        assertThat(KeySet.ofJwkSet(set, true).keys()).hasSize(1);
        assertThatThrownBy(() -> KeySet.ofJwkSet(set, false)).hasMessageContaining("without a key");
    }

    @Test
    void thereIsAMaximumOfKeysAndOfKeysToTry() {
        KeySet five = KeySet.ofJwkSet(several(5), false);

        assertThat(five.find(token(CURVE, "3"))).hasSize(1);
        assertThat(five.find(token(CURVE, ""))).isEmpty();
        assertThat(KeySet.ofJwkSet(several(4), false).find(token(CURVE, ""))).hasSize(4);
        assertThatThrownBy(() -> KeySet.ofJwkSet(several(101), false)).hasMessageContaining("more than 100 keys");
    }

    private static String several(int count) {
        return new JsonWebKeySet(IntStream.range(0, count)
                        .mapToObj(i -> CURVE.jwk("" + i))
                        .collect(Collectors.toList()))
                .toJson();
    }
}
