package io.heddle.persistence.kafka;

import io.heddle.core.client.ClientId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Encodes a client id as the name of its topic, so that different clients have different topics. ASCII letters, digits and {@code -} are
 * copied; every other byte of the client id's UTF-8 becomes {@code _} and two hex digits. A name that would exceed Kafka's limit is
 * truncated and ends with {@code __} and the SHA-256 of the client id: no other name contains two underscores in a row.
 */
final class ApplicationTopicName {
    private static final int LONGEST_NAME = 249;
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

    private static void append(byte one, StringBuilder name) {
        boolean isLetter = (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z');
        boolean isPlain = isLetter || (one >= '0' && one <= '9') || one == '-';
        if (isPlain) {
            name.append((char) one);
        } else {
            HexFormat.of().toHexDigits(name.append('_'), one);
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
