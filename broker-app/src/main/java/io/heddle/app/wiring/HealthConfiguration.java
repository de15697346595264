package io.heddle.app.wiring;

import io.heddle.app.health.BrokerHealth;
import io.heddle.app.health.DiskHealth;
import io.heddle.app.health.StoreHealth;
import io.heddle.app.health.StoresReadiness;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.core.lifecycle.Broker;
import io.heddle.core.operator.store.TransactionWatch;
import io.heddle.core.quota.StorageRoom;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The indicators of {@code /actuator/health}. */
@Configuration(proxyBeanMethods = false)
class HealthConfiguration {
    @Bean
    HealthIndicator brokerHealthIndicator(Broker broker, ClusterStartup cluster) {
        return new BrokerHealth(broker, cluster.role());
    }

    /** Replaces the indicator of Spring Boot, which checks the disk of the working directory. */
    @Bean
    HealthIndicator diskSpaceHealthIndicator(StorageRoom storage) {
        return new DiskHealth(storage);
    }

    /** Down while a transaction hangs that the node could not repair: then readers of a partition stand still, whichever node they belong to. */
    @Bean
    HealthIndicator transactionsHealthIndicator(TransactionWatch watch) {
        return new StoreHealth(watch::obstacle);
    }

    @Bean("storesHealthIndicator")
    StoresReadiness storesReadiness(HeddleSettings settings, Stores stores, MeterRegistry metrics) {
        return new StoresReadiness(
                stores::checkKafka, stores::checkRedis, stores::checkPostgres, settings.health(), metrics);
    }

    @Bean
    HealthIndicator kafkaHealthIndicator(StoresReadiness stores) {
        return stores.kafka();
    }

    @Bean
    HealthIndicator redisHealthIndicator(StoresReadiness stores) {
        return stores.redis();
    }

    @Bean
    HealthIndicator postgresHealthIndicator(StoresReadiness stores) {
        return stores.postgres();
    }
}
