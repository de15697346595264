package io.heddle.persistence.jwt;

import io.heddle.core.mqtt.BinaryData;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * A password that looks like a JWS in compact serialization. Nothing of it is verified.
 *
 * @param algorithm what the header says; never decides by itself
 * @param keyId the name of the key, or null
 */
record Token(String compact, String algorithm, @Nullable String keyId) {
    /** Returns null if the password is not three parts in base64url, the first of which is a JSON object with "alg". */
    static @Nullable Token parse(BinaryData password) {
        int headerLength = headerLength(password.array());
        if (headerLength <= 0) {
            return null;
        }
        String compact = new String(password.array(), StandardCharsets.US_ASCII);
        try {
            byte[] header = Base64.getUrlDecoder().decode(compact.substring(0, headerLength));
            Map<String, Object> parameters = JsonUtil.parseJson(new String(header, StandardCharsets.UTF_8));
            return parameters.get("alg") instanceof String algorithm
                    ? new Token(compact, algorithm, parameters.get("kid") instanceof String keyId ? keyId : null)
                    : null;
        } catch (JoseException | IllegalArgumentException noHeader) {
            return null;
        }
    }

    /** Returns the length of the first of three parts; -1 if there are not three, or other characters. */
    private static int headerLength(byte[] password) {
        int length = -1;
        int dots = 0;
        for (int i = 0; i < password.length; i++) {
            byte character = password[i];
            if (character == '.') {
                length = dots++ == 0 ? i : length;
            } else if (!isBase64Url(character)) {
                return -1;
            }
        }
        return dots == 2 ? length : -1;
    }

    private static boolean isBase64Url(byte character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || character == '-'
                || character == '_';
    }

    /** Omits the token, which is a password. */
    @Override
    public String toString() {
        return "Token[" + algorithm + "]";
    }
}
