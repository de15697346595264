package io.heddle.persistence.kafka;

import io.heddle.core.client.ClientId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a client id as the name of its topic, so that different clients have different topics. ASCII letters, digits and {@code -} are
 * copied; every other byte of the client id's UTF-8 becomes {@code _} and two hex digits. A name that would exceed Kafka's limit is
 * truncated and ends with {@code __} and the SHA-256 of the client id: no other name contains two underscores in a row.
 */
final class ApplicationTopicName {
    private static final int LONGEST_NAME = 249;
    private static final char ESCAPE = '_';
    private static final String HASH_MARK = "__";
    private static final int HASH_CHARACTERS = 64;

    private ApplicationTopicName() {}

    static String of(ClientId clientId) {
        byte[] bytes = clientId.value().getBytes(StandardCharsets.UTF_8);
        StringBuilder name = new StringBuilder(KafkaTopics.APPLICATION_PREFIX);
        for (int i = 0; i < bytes.length && name.length() <= LONGEST_NAME; i++) {
            append(bytes[i], name);
        }
        if (name.length() > LONGEST_NAME) {
            name.setLength(LONGEST_NAME - HASH_MARK.length() - HASH_CHARACTERS);
            name.append(HASH_MARK).append(HexFormat.of().formatHex(sha256(bytes)));
        }
        return name.toString();
    }

    /** Returns the client id that a name was derived from, or null if the name is cut or of another kind. */
    static @Nullable ClientId clientId(String name) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(name.length());
        for (int i = KafkaTopics.APPLICATION_PREFIX.length(); i < name.length(); i++) {
            char next = name.charAt(i);
            if (next != ESCAPE) {
                bytes.write(next);
            } else if (i + 2 < name.length()
                    && HexFormat.isHexDigit(name.charAt(i + 1))
                    && HexFormat.isHexDigit(name.charAt(i + 2))) {
                bytes.write(HexFormat.fromHexDigits(name, i + 1, i + 3));
                i += 2;
            } else {
                return null;
            }
        }
        if (bytes.size() == 0) {
            return null;
        }
        ClientId clientId = new ClientId(bytes.toString(StandardCharsets.UTF_8));
        return of(clientId).equals(name) ? clientId : null;
    }

    private static void append(byte one, StringBuilder name) {
        boolean isLetter = (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z');
        boolean isPlain = isLetter || (one >= '0' && one <= '9') || one == '-';
        if (isPlain) {
            name.append((char) one);
        } else {
            HexFormat.of().toHexDigits(name.append(ESCAPE), one);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
