package io.heddle.standalone.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Random values that the first start generates and later starts reuse.
 *
 * @param kafkaPassword of the account on every Kafka node
 * @param redisPassword of every Redis node
 * @param postgresPassword of the database's owner
 * @param kafkaClusterId in Kafka's form, 22 characters
 */
public record Secrets(String kafkaPassword, String redisPassword, String postgresPassword, String kafkaClusterId) {
    private static final int PASSWORD_BYTES = 24;
    private static final int CLUSTER_ID_BYTES = 16;
    private static final String KAFKA = "kafka.password";
    private static final String REDIS = "redis.password";
    private static final String POSTGRESQL = "postgresql.password";
    private static final String CLUSTER_ID = "kafka.cluster-id";

    /** Loads the secrets; generates and stores missing ones. The caller has checked that {@link #defect} is null if there is data. */
    public static Secrets loadOrGenerate(Path file, SecureRandom random) throws IOException {
        Properties stored;
        try {
            stored = PrivateFiles.read(file);
        } catch (DamagedFileException e) {
            throw new StandaloneException(
                    "The file " + file + " is damaged (" + e.getMessage()
                            + "): delete it; a new one is created, because no data depends on it yet.",
                    e);
        }
        if (!has(stored, KAFKA) || !has(stored, REDIS) || !has(stored, POSTGRESQL) || !has(stored, CLUSTER_ID)) {
            putIfMissing(stored, KAFKA, password(random));
            putIfMissing(stored, REDIS, password(random));
            putIfMissing(stored, POSTGRESQL, password(random));
            putIfMissing(stored, CLUSTER_ID, clusterId(random));
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

    private static void putIfMissing(Properties stored, String key, String value) {
        if (!has(stored, key)) {
            stored.setProperty(key, value);
        }
    }

    /** Returns whether Heddle wrote the file, rather than another program that uses the same name. */
    static boolean isIn(Path file) throws IOException {
        try {
            return has(PrivateFiles.read(file), CLUSTER_ID);
        } catch (DamagedFileException e) {
            return false;
        }
    }

    /**
     * Returns why existing data cannot be used with this file, as the end of a sentence; null if it can. The passwords of Kafka and Redis
     * may be missing: these servers get theirs at each start.
     */
    static @Nullable String defect(Path file) throws IOException {
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
            // Kafka's tools would parse an id with a leading dash as an option.
        } while ((bytes[0] & 0xff) >> 2 == 62);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Without the passwords. */
    @Override
    public String toString() {
        return "Secrets[kafkaClusterId=" + kafkaClusterId + "]";
    }
}
