package io.heddle.persistence.redis;

import static io.heddle.persistence.Startup.sentenceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.TestSettings;
import io.heddle.standalone.testkit.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisServerIT {
    private static final String USER = "heddle-test";
    private static final UUID OURS = UUID.fromString("6f0c1b9e-7f57-4f0e-9f0a-0d8b4ec3a001");
    private static final UUID THEIRS = UUID.fromString("6f0c1b9e-7f57-4f0e-9f0a-0d8b4ec3a002");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** No server listens on this port, which the system never assigns. */
    private static final String NOBODY_THERE = "127.0.0.1:1";

    private final RedisSettings settings = patient(TestServers.shared().redisUrl());
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RedisClient client = RedisClient.create(settings.uris().getFirst());
    private final RedisCommands<String, String> admin = client.connect().sync();

    @BeforeEach
    void forgetTheCluster() {
        admin.del(RedisKeys.CLUSTER);
    }

    @AfterEach
    void restore() {
        admin.configSet("maxmemory-policy", "noeviction");
        admin.aclDeluser(USER);
        admin.del(RedisKeys.CLUSTER);
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }

    @Test
    void opensAndAnswersTheHealthCheck() {
        try (RedisServer redis = open(settings)) {
            redis.check();
            assertThat(redis.isClustered()).isFalse();
        }
        assertThat(checks("up")).isEqualTo(1);
    }

    @Test
    void aServerThatEvictsIsRejected() {
        admin.configSet("maxmemory-policy", "allkeys-lru");

        sentenceOf(() -> open(settings))
                .contains(settings.address(), "allkeys-lru", "CONFIG SET maxmemory-policy noeviction");
    }

    @Test
    void aServerThatForbidsConfigIsAccepted() {
        user(">right +@all -config");

        try (RedisServer redis = open(as("right"))) {
            redis.check();
        }
    }

    @Test
    void aUserWithoutTheNeededPermissionsIsReported() {
        user(">right +@all -info");

        sentenceOf(() -> open(as("right"))).contains(settings.address(), "ACL SETUSER", "heddle.redis.url");
    }

    @Test
    void aWrongPasswordIsReported() {
        user(">right +@all");

        sentenceOf(() -> open(as("wrong-password")))
                .contains(settings.address(), "rejects the password", "heddle.redis.url")
                .doesNotContain("wrong-password");
    }

    @Test
    void aMissingPasswordIsReported() {
        String withPassword = TestServers.shared().redisUrl();
        assertThat(withPassword).contains("@");
        String without = "redis://" + withPassword.substring(withPassword.lastIndexOf('@') + 1);

        sentenceOf(() -> open(patient(without))).contains("requires a password", "heddle.redis.url");
    }

    @Test
    void anUnreachableServerIsNamedWithItsSetting() {
        sentenceOf(() -> open(patient("redis://:hidden@" + NOBODY_THERE)))
                .contains(NOBODY_THERE, "refused", "heddle.redis.url")
                .doesNotContain("hidden");
    }

    @Test
    void aServerThatNeverAnswersTimesOut() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            RedisSettings impatient = TestSettings.redis(
                    "redis://127.0.0.1:" + silent.getLocalPort(), Duration.ofMillis(300), Duration.ofMillis(300));

            sentenceOf(() -> open(impatient)).contains("does not answer", "heddle.redis.url");
        }
    }

    @Test
    void severalServersThatAreNoClusterAreRejected() {
        String url = TestServers.shared().redisUrl();

        sentenceOf(() -> open(patient(url + "," + url)))
                .contains("not part of a Redis Cluster", "name only one server");
    }

    @Test
    void aClosedConnectionIsUnavailability() {
        RedisServer redis = open(settings);
        redis.close();

        assertThatThrownBy(redis::check).isInstanceOf(StoreUnavailableException.class);
        assertThat(checks("down")).isEqualTo(1);
    }

    @Test
    void aNewRedisStoresTheClusterIdAndKeepsIt() {
        try (RedisServer redis = open(settings)) {
            RedisClusterIdentity identity = new RedisClusterIdentity(redis);
            identity.claim(OURS);
            identity.claim(OURS);

            assertThat(admin.hgetall(RedisKeys.CLUSTER))
                    .containsExactlyInAnyOrderEntriesOf(Map.of("id", OURS.toString(), "format", "3"));
        }
    }

    @Test
    void aRedisWithValuesOfAnotherBuildIsRefusedAndLeftUnchanged() {
        try (RedisServer redis = open(settings)) {
            RedisClusterIdentity identity = new RedisClusterIdentity(redis);
            identity.claim(OURS);
            admin.hset(RedisKeys.CLUSTER, "format", "2");

            sentenceOf(() -> identity.claim(OURS))
                    .isEqualTo("Redis at " + settings.address()
                            + " has data of format 2, and this build of Heddle reads only format 3: back up with the build that"
                            + " wrote it, install this build with empty stores, and restore the backup");
            assertThat(admin.hget(RedisKeys.CLUSTER, "format")).isEqualTo("2");

            admin.hdel(RedisKeys.CLUSTER, "format");
            sentenceOf(() -> identity.claim(OURS)).contains("has data of format 0");
            assertThat(admin.hget(RedisKeys.CLUSTER, "format")).isNull();
        }
    }

    @Test
    void theRedisOfAnotherClusterIsRejectedAndLeftUnchanged() {
        try (RedisServer redis = open(settings)) {
            RedisClusterIdentity identity = new RedisClusterIdentity(redis);
            identity.claim(THEIRS);

            sentenceOf(() -> identity.claim(OURS))
                    .isEqualTo("Redis at " + settings.address() + " belongs to another Heddle cluster (id " + THEIRS
                            + ", expected " + OURS
                            + "): set heddle.redis.url to this cluster's Redis, or empty it");
            assertThat(admin.hget(RedisKeys.CLUSTER, "id")).isEqualTo(THEIRS.toString());
        }
    }

    @Test
    void aLostDatabaseIsReportedInsteadOfARedisWithData() {
        try (RedisServer redis = open(settings)) {
            RedisClusterIdentity identity = new RedisClusterIdentity(redis);
            identity.requireUnclaimed(() -> false, "jdbc:postgresql://db/heddle");
            identity.claim(OURS);

            identity.requireUnclaimed(() -> true, "jdbc:postgresql://db/heddle");
            sentenceOf(() -> identity.requireUnclaimed(() -> false, "jdbc:postgresql://db/heddle"))
                    .startsWith("PostgreSQL at jdbc:postgresql://db/heddle is empty, but Redis at " + settings.address()
                            + " holds the data of Heddle cluster " + OURS + ": restore the database");
        }
    }

    @Test
    void aRedisThatLostItsDataStoresTheClusterIdAgain() {
        try (RedisServer redis = open(settings)) {
            RedisClusterIdentity identity = new RedisClusterIdentity(redis);
            identity.claim(OURS);
            admin.del(RedisKeys.CLUSTER);
            identity.claim(OURS);

            assertThat(admin.hget(RedisKeys.CLUSTER, "id")).isEqualTo(OURS.toString());
        }
    }

    @Test
    void oneOfTwoClustersThatStartTogetherClaimsTheRedis() throws Exception {
        try (RedisServer redis = open(settings);
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            RedisClusterIdentity identity = new RedisClusterIdentity(redis);
            List<Future<Boolean>> claims = executor.invokeAll(List.of(claim(identity, OURS), claim(identity, THEIRS)));

            assertThat(claims.get(0).get()).isNotEqualTo(claims.get(1).get());
        }
    }

    private static Callable<Boolean> claim(RedisClusterIdentity identity, UUID id) {
        return () -> {
            try {
                identity.claim(id);
                return true;
            } catch (StartupException refused) {
                return false;
            }
        };
    }

    /** Creates a user for a test with the rules of ACL SETUSER. */
    private void user(String rules) {
        StringCodec codec = StringCodec.UTF8;
        CommandArgs<String, String> args = new CommandArgs<>(codec);
        args.add("SETUSER").add(USER).add("reset").add("on").add("~*").add("&*");
        for (String rule : rules.split(" ", -1)) {
            args.add(rule);
        }
        assertThat(admin.dispatch(CommandType.ACL, new StatusOutput<>(codec), args))
                .isEqualTo("OK");
    }

    private static RedisSettings patient(String url) {
        return TestSettings.redis(url, PATIENCE, PATIENCE);
    }

    private RedisSettings as(String password) {
        return patient("redis://" + USER + ":" + password + "@" + settings.address());
    }

    private RedisServer open(RedisSettings settings) {
        return RedisServer.open(settings, registry);
    }

    private long checks(String outcome) {
        return registry.get("heddle.store.check")
                .tags("store", "redis", "outcome", outcome)
                .timer()
                .count();
    }
}
