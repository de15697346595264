package io.heddle.app.settings;

import io.heddle.app.drain.DrainSettings;
import io.heddle.app.events.EventSettings;
import io.heddle.app.sys.SysSettings;
import io.heddle.app.tracing.TracingSettings;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * All settings. The start rejects keys that are not among them.
 *
 * @param node this node
 * @param cluster membership of this node in the cluster
 * @param drain drain of this node when it stops
 * @param mqtt the listeners for MQTT
 * @param http the listener of the REST API, health and metrics
 * @param health readiness of the node
 * @param session limits of sessions
 * @param subscription limits of subscriptions
 * @param retained limits of retained messages
 * @param delivery delivery of messages
 * @param sys topics about the broker
 * @param authentication authentication of clients
 * @param authorization authorization of clients
 * @param administration administrators
 * @param kafka the log
 * @param applications the logs of APPLICATION clients
 * @param buckets the partitions of DEVICE clients
 * @param events events of clients for other programs
 * @param tracing traces of sampled messages for a collector of OpenTelemetry
 * @param redis the queues of DEVICE clients
 * @param postgres credentials, administrators and the audit log
 * @param standalone the servers that ./heddle starts
 */
@ConfigurationProperties(prefix = HeddleSettings.PREFIX)
public record HeddleSettings(
        @DefaultValue @NestedConfigurationProperty NodeSettings node,
        @DefaultValue @NestedConfigurationProperty ClusterSettings cluster,
        @DefaultValue @NestedConfigurationProperty DrainSettings drain,
        @DefaultValue @NestedConfigurationProperty MqttSettings mqtt,
        @DefaultValue @NestedConfigurationProperty HttpSettings http,
        @DefaultValue @NestedConfigurationProperty HealthSettings health,
        @DefaultValue @NestedConfigurationProperty SessionLimits session,
        @DefaultValue @NestedConfigurationProperty SubscriptionSettings subscription,
        @DefaultValue @NestedConfigurationProperty RetainedSettings retained,
        @DefaultValue @NestedConfigurationProperty DeliverySettings delivery,
        @DefaultValue @NestedConfigurationProperty SysSettings sys,
        @DefaultValue @NestedConfigurationProperty AuthenticationSettings authentication,
        @DefaultValue @NestedConfigurationProperty AuthorizationSettings authorization,
        @DefaultValue @NestedConfigurationProperty AdministrationSettings administration,
        @DefaultValue @NestedConfigurationProperty KafkaConnection kafka,
        @DefaultValue @NestedConfigurationProperty ApplicationSettings applications,
        @DefaultValue @NestedConfigurationProperty BucketSettings buckets,
        @DefaultValue @NestedConfigurationProperty EventSettings events,
        @DefaultValue @NestedConfigurationProperty TracingSettings tracing,
        @DefaultValue @NestedConfigurationProperty RedisConnection redis,
        @DefaultValue @NestedConfigurationProperty PostgresConnection postgres,
        @DefaultValue @NestedConfigurationProperty StandaloneSettings standalone) {
    public static final String PREFIX = "heddle";

    /** Also validates the settings of the adapters, before anything is started. */
    public HeddleSettings {
        mqtt.allListeners().requireOtherPortsThan(HttpSettings.PORT, http.address(), http.port());
        mqtt.allListeners().requireOtherPortsThan(HttpSettings.PROBE_PORT, http.address(), http.fixedProbePort());
        mqtt.allListeners().all().forEach(authentication::check);
        kafka.toKafkaSettings(buckets);
        kafka.toProducerSettings(node);
        applications.toLogSettings();
        redis.toRedisSettings();
        postgres.toPostgresSettings();
    }
}
