package io.heddle.standalone;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Properties;

/**
 * What is drawn at random at the first start and kept.
 *
 * @param redisPassword of every Redis node
 * @param postgresPassword of the database's owner
 * @param kafkaClusterId in Kafka's form, 22 characters
 */
record Secrets(String redisPassword, String postgresPassword, String kafkaClusterId) {
    private static final int PASSWORD_BYTES = 24;
    private static final int CLUSTER_ID_BYTES = 16;
    private static final String REDIS = "redis.password";
    private static final String POSTGRESQL = "postgresql.password";
    private static final String CLUSTER_ID = "kafka.cluster-id";

    static Secrets loadOrDraw(Path file, SecureRandom random) throws IOException {
        Properties stored = PrivateFiles.read(file);
        if (!stored.containsKey(REDIS) || !stored.containsKey(POSTGRESQL) || !stored.containsKey(CLUSTER_ID)) {
            stored.putIfAbsent(REDIS, password(random));
            stored.putIfAbsent(POSTGRESQL, password(random));
            stored.putIfAbsent(CLUSTER_ID, clusterId(random));
            PrivateFiles.write(file, stored);
        }
        return new Secrets(stored.getProperty(REDIS), stored.getProperty(POSTGRESQL), stored.getProperty(CLUSTER_ID));
    }

    /** Whether the file has been drawn here, and is not some other program's of that name. */
    static boolean isIn(Path file) throws IOException {
        return PrivateFiles.read(file).containsKey(CLUSTER_ID);
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
