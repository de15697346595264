package io.heddle.persistence.redis;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.operator.store.QueueServerState;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answer of a Redis server to INFO. Heddle needs no other command to verify a server, so managed services that forbid CONFIG are
 * supported.
 */
final class RedisInfo {
    private static final Logger log = LoggerFactory.getLogger(RedisInfo.class);

    private static final int OLDEST_MAJOR = 6;
    private static final int OLDEST_MINOR = 2;
    private static final String NO_EVICTION = "noeviction";
    private static final Pattern KEYS = Pattern.compile("keys=([0-9]{1,18})");

    private final String address;
    private final Map<String, String> facts;

    private RedisInfo(String address, Map<String, String> facts) {
        this.address = address;
        this.facts = facts;
    }

    /** @param address the server, for messages */
    static RedisInfo parse(String address, String answer) {
        Map<String, String> facts = new HashMap<>();
        answer.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0 && !line.startsWith("#")) {
                facts.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        return new RedisInfo(address, facts);
    }

    boolean isClusterNode() {
        return fact("cluster_enabled").equals("1");
    }

    /**
     * Rejects a server that the broker cannot rely on, and warns of one that does not persist its data.
     *
     * @throws StartupException when the server is too old, evicts keys or is a replica
     */
    void verify() {
        verifyVersion();
        String role = fact("role");
        if (!role.equals("master")) {
            throw new StartupException(
                    "Redis at " + address + " is a replica (role " + role
                            + ") and rejects writes: set heddle.redis.url to its primary",
                    null);
        }
        String policy = fact("maxmemory_policy");
        if (!policy.equals(NO_EVICTION)) {
            throw new StartupException(
                    "Redis at " + address
                            + " evicts keys, and with them queued messages, when its memory is full (maxmemory-policy"
                            + " is "
                            + policy + "): run redis-cli CONFIG SET maxmemory-policy " + NO_EVICTION
                            + ", and set it in redis.conf too",
                    null);
        }
        if (!fact("aof_enabled").equals("1")) {
            log.warn(
                    "Redis at {} has no append-only file; after a restart of Redis, Heddle rebuilds the queues from"
                            + " Kafka, which takes time (set appendonly yes in redis.conf)",
                    address);
        }
    }

    private void verifyVersion() {
        String version = fact("redis_version");
        String[] numbers = version.split("[^0-9]", 3);
        boolean isParsable = numbers.length >= 2 && !numbers[0].isEmpty() && !numbers[1].isEmpty();
        int major = isParsable ? Integer.parseInt(numbers[0]) : 0;
        int minor = isParsable ? Integer.parseInt(numbers[1]) : 0;
        if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR)) {
            throw new StartupException(
                    "Redis at " + address + " is version " + version + ", but Heddle needs " + OLDEST_MAJOR + "."
                            + OLDEST_MINOR + " or later: upgrade it, or point heddle.redis.url at a newer one",
                    null);
        }
    }

    /** Describes the server for administrators. */
    QueueServerState state() {
        return new QueueServerState(
                address, fact("redis_version"), fact("role"), number("used_memory"), number("maxmemory"), keys(), (int)
                        number("connected_slaves"));
    }

    /** Returns the number of keys in all databases: {@code db0:keys=12,expires=0}. */
    private long keys() {
        long keys = 0;
        for (Map.Entry<String, String> each : facts.entrySet()) {
            Matcher count = KEYS.matcher(each.getValue());
            if (each.getKey().startsWith("db") && count.lookingAt()) {
                keys += Long.parseLong(count.group(1));
            }
        }
        return keys;
    }

    private long number(String name) {
        String text = facts.getOrDefault(name, "");
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    private String fact(String name) {
        return facts.getOrDefault(name, "unknown");
    }
}
