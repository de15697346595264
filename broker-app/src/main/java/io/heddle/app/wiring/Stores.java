package io.heddle.app.wiring;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.CredentialsChanges;
import io.heddle.core.authorization.RuleStore;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.postgres.PostgresClusterIdentity;
import io.heddle.persistence.postgres.PostgresCredentialsChanges;
import io.heddle.persistence.postgres.PostgresDatabase;
import io.heddle.persistence.postgres.PostgresRules;
import io.heddle.persistence.redis.RedisClusterIdentity;
import io.heddle.persistence.redis.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections to Kafka, Redis and PostgreSQL: opened in parallel at start, closed at stop. Queries before the start fail with
 * StoreUnavailableException. Thread-safe.
 */
final class Stores implements StartupPhase {
    private static final Logger log = LoggerFactory.getLogger(Stores.class);

    private final HeddleSettings settings;
    private final MeterRegistry metrics;
    private final PostgresCredentialsChanges credentialsChanges = new PostgresCredentialsChanges(this::postgres);
    private volatile @Nullable PostgresDatabase postgres;
    private volatile @Nullable KafkaCluster kafka;
    private volatile @Nullable RedisServer redis;

    Stores(HeddleSettings settings, MeterRegistry metrics) {
        this.settings = settings;
        this.metrics = metrics;
    }

    @Override
    public String name() {
        return "the connections to Kafka, Redis and PostgreSQL";
    }

    @Override
    public void start() {
        // Platform threads, because opening loads hundreds of classes. A virtual thread that waits for class loading
        // keeps its carrier; without a free carrier for the thread that holds the lock of a jar, a start hung.
        try (ExecutorService tasks = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("heddle-open-store-", 0).factory())) {
            Future<?> kafkaOpened = tasks.submit(this::openKafka);
            Future<?> redisOpened = tasks.submit(this::openRedis);
            Future<?> postgresOpened = tasks.submit(this::openPostgres);
            await(postgresOpened);
            await(redisOpened);
            await(kafkaOpened);
            claimRedis();
        } catch (RuntimeException failure) {
            stop();
            throw failure;
        }
    }

    private void claimRedis() {
        RedisClusterIdentity mark = new RedisClusterIdentity(opened(redis, "Redis"));
        PostgresClusterIdentity identity = new PostgresClusterIdentity(postgres());
        if (!identity.exists()) {
            mark.requireUnclaimed(
                    identity::exists, settings.postgres().toPostgresSettings().address());
        }
        mark.claim(identity.id());
    }

    /** Returns the id of the cluster. After the start. */
    UUID clusterId() {
        return new PostgresClusterIdentity(postgres()).id();
    }

    private void openPostgres() {
        postgres = PostgresDatabase.open(settings.postgres().toPostgresSettings(), metrics);
    }

    private void openKafka() {
        kafka = KafkaCluster.open(
                settings.kafka().toKafkaSettings(settings.buckets()),
                settings.events().toTopicSettings(),
                metrics);
    }

    private void openRedis() {
        redis = RedisServer.open(settings.redis().toRedisSettings(), metrics);
    }

    private static void await(Future<?> opened) {
        try {
            opened.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("Cannot open a store", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("The start was interrupted", e);
        }
    }

    @Override
    public void stop() {
        RedisServer openRedis = redis;
        redis = null;
        KafkaCluster openKafka = kafka;
        kafka = null;
        PostgresDatabase openPostgres = postgres;
        postgres = null;
        if (openRedis != null) {
            openRedis.close();
        }
        if (openKafka != null) {
            openKafka.close();
        }
        credentialsChanges.close();
        if (openPostgres != null) {
            openPostgres.close();
            log.info("The connections to Kafka, Redis and PostgreSQL are closed");
        }
    }

    /** Only while started. */
    KafkaCluster kafka() {
        return opened(kafka, "Kafka");
    }

    /** Only while started. */
    RedisServer redis() {
        return opened(redis, "Redis");
    }

    /** Only while started. */
    PostgresDatabase postgres() {
        return opened(postgres, "PostgreSQL");
    }

    private static <T> T opened(@Nullable T store, String name) {
        if (store == null) {
            throw new StoreUnavailableException(name + " is not connected", null);
        }
        return store;
    }

    /** May be called before the start. */
    CredentialsChanges credentialsChanges() {
        return credentialsChanges;
    }

    /** May be called before the start. */
    RuleStore rules() {
        return new PostgresRules(this::postgres);
    }

    /** Throws StoreUnavailableException if Kafka does not respond. */
    void checkKafka() {
        opened(kafka, "Kafka").check();
    }

    /** Throws StoreUnavailableException if Redis does not respond. */
    void checkRedis() {
        opened(redis, "Redis").check();
    }

    /** Throws StoreUnavailableException if PostgreSQL does not respond. */
    void checkPostgres() {
        postgres().check();
    }
}
