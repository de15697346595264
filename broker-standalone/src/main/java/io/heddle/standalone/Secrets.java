package io.heddle.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What is drawn at random at the first start and kept.
 *
 * @param kafkaPassword of the account of every Kafka node
 * @param redisPassword of every Redis node
 * @param postgresPassword of the database's owner
 * @param kafkaClusterId in Kafka's form, 22 characters
 */
record Secrets(String kafkaPassword, String redisPassword, String postgresPassword, String kafkaClusterId) {
    private static final int PASSWORD_BYTES = 24;
    private static final int CLUSTER_ID_BYTES = 16;
    private static final String KAFKA = "kafka.password";
    private static final String REDIS = "redis.password";
    private static final String POSTGRESQL = "postgresql.password";
    private static final String CLUSTER_ID = "kafka.cluster-id";

    /** Those of the file; what is missing is drawn and remembered, which {@link #missing} must have allowed. */
    static Secrets loadOrDraw(Path file, SecureRandom random) throws IOException {
        Properties stored;
        try {
            stored = PrivateFiles.read(file);
        } catch (DamagedFileException e) {
            throw new StandaloneException(
                    "The file " + file + " is damaged (" + e.getMessage()
                            + "): delete it, for there is no data that it belongs to, and it is made anew.",
                    e);
        }
        if (!has(stored, KAFKA) || !has(stored, REDIS) || !has(stored, POSTGRESQL) || !has(stored, CLUSTER_ID)) {
            draw(stored, KAFKA, password(random));
            draw(stored, REDIS, password(random));
            draw(stored, POSTGRESQL, password(random));
            draw(stored, CLUSTER_ID, clusterId(random));
            PrivateFiles.write(file, stored);
        }
        return new Secrets(
                stored.getProperty(KAFKA),
                stored.getProperty(REDIS),
                stored.getProperty(POSTGRESQL),
                stored.getProperty(CLUSTER_ID));
    }

    private static boolean has(Properties stored, String key) {
        return !stored.getProperty(key, "").isBlank();
    }

    private static void draw(Properties stored, String key, String drawn) {
        if (!has(stored, key)) {
            stored.setProperty(key, drawn);
        }
    }

    /** Whether the file has been drawn here, and is not some other program's of that name. */
    static boolean isIn(Path file) throws IOException {
        try {
            return has(PrivateFiles.read(file), CLUSTER_ID);
        } catch (DamagedFileException e) {
            return false;
        }
    }

    /**
     * What the file lacks that data which is there cannot be used without, for a person; null when it lacks nothing. Kafka and
     * Redis are given their passwords at each start and accept any.
     */
    static @Nullable String missing(Path file) throws IOException {
        if (!Files.exists(file)) {
            return "is missing";
        }
        try {
            Properties stored = PrivateFiles.read(file);
            if (!has(stored, CLUSTER_ID)) {
                return "has no " + CLUSTER_ID;
            }
            return has(stored, POSTGRESQL) ? null : "has no " + POSTGRESQL;
        } catch (DamagedFileException e) {
            return "is damaged (" + e.getMessage() + ")";
        }
    }

    /** Hexadecimal, so that it needs no escaping in URLs and configuration files. */
    private static String password(SecureRandom random) {
        byte[] bytes = new byte[PASSWORD_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String clusterId(SecureRandom random) {
        byte[] bytes = new byte[CLUSTER_ID_BYTES];
        do {
            random.nextBytes(bytes);
            // Kafka's tools take an id that begins with a dash for an option.
        } while ((bytes[0] & 0xff) >> 2 == 62);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Without the passwords. */
    @Override
    public String toString() {
        return "Secrets[kafkaClusterId=" + kafkaClusterId + "]";
    }
}
