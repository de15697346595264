package io.heddle.app.health;

import io.heddle.app.settings.HealthSettings;
import io.heddle.core.lifecycle.Housekeeping;
import io.heddle.core.lifecycle.StartupPhase;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Readiness of Kafka, Redis and PostgreSQL, as a part of the node's readiness. Each store has its own checking thread, because a store that
 * does not respond blocks the thread until its timeout. A request only reads the latest results.
 */
public final class StoresReadiness implements HealthIndicator {
    private final StoreReadiness kafka;
    private final StoreReadiness redis;
    private final StoreReadiness postgres;
    private final List<StoreReadiness> stores;
    private final HealthSettings settings;

    /** Each check throws StoreUnavailableException if its store does not respond, and may block. */
    public StoresReadiness(
            Runnable checkKafka,
            Runnable checkRedis,
            Runnable checkPostgres,
            HealthSettings settings,
            MeterRegistry metrics) {
        this.settings = settings;
        this.kafka = store("Kafka", checkKafka);
        this.redis = store("Redis", checkRedis);
        this.postgres = store("PostgreSQL", checkPostgres);
        this.stores = List.of(kafka, redis, postgres);
        for (StoreReadiness each : this.stores) {
            Gauge.builder("heddle.store.usable", each, store -> store.unusableReason() == null ? 1 : 0)
                    .tag("store", each.store().toLowerCase(Locale.ROOT))
                    .register(metrics);
        }
    }

    private StoreReadiness store(String name, Runnable check) {
        return new StoreReadiness(name, check, settings.downAfter(), System::nanoTime);
    }

    public HealthIndicator kafka() {
        return new StoreHealth(kafka::lastFailure);
    }

    public HealthIndicator redis() {
        return new StoreHealth(redis::lastFailure);
    }

    public HealthIndicator postgres() {
        return new StoreHealth(postgres::lastFailure);
    }

    /** Returns one phase for each store, which checks it. */
    public List<StartupPhase> phases() {
        return stores.stream()
                .<StartupPhase>map(store -> new Housekeeping(
                        "check-" + store.store().toLowerCase(Locale.ROOT), settings.checkInterval(), store::check))
                .toList();
    }

    @Override
    public Health health() {
        Health.Builder health = Health.up();
        for (StoreReadiness each : stores) {
            @Nullable String reason = each.unusableReason();
            if (reason != null) {
                health.down();
            }
            health.withDetail(each.store(), reason == null ? "usable" : reason);
        }
        return health.build();
    }
}
