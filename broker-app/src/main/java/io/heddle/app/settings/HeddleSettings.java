package io.heddle.app.settings;

import io.heddle.core.lifecycle.StartupException;
import java.net.InetAddress;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * All settings. The start checks refuse keys that are not among them.
 *
 * @param node this node
 * @param mqtt the MQTT listener
 * @param http the listener of the REST API, health and metrics
 * @param health when the node says that it is ready
 * @param session limits of sessions
 * @param subscription limits of subscriptions
 * @param retained limits of retained messages
 * @param delivery how messages reach their recipients
 * @param authentication who may connect
 * @param administration who may administer
 * @param kafka the log
 * @param applications the logs of application clients
 * @param buckets how device clients are spread
 * @param redis the device queues
 * @param postgres credentials and administrators
 * @param standalone the servers that the one-command broker brings along
 */
@ConfigurationProperties(prefix = HeddleSettings.PREFIX)
public record HeddleSettings(
        @DefaultValue @NestedConfigurationProperty NodeSettings node,
        @DefaultValue @NestedConfigurationProperty MqttSettings mqtt,
        @DefaultValue @NestedConfigurationProperty HttpSettings http,
        @DefaultValue @NestedConfigurationProperty HealthSettings health,
        @DefaultValue @NestedConfigurationProperty SessionLimits session,
        @DefaultValue @NestedConfigurationProperty SubscriptionSettings subscription,
        @DefaultValue @NestedConfigurationProperty RetainedSettings retained,
        @DefaultValue @NestedConfigurationProperty DeliverySettings delivery,
        @DefaultValue @NestedConfigurationProperty AuthenticationSettings authentication,
        @DefaultValue @NestedConfigurationProperty AdministrationSettings administration,
        @DefaultValue @NestedConfigurationProperty KafkaConnection kafka,
        @DefaultValue @NestedConfigurationProperty ApplicationSettings applications,
        @DefaultValue @NestedConfigurationProperty BucketSettings buckets,
        @DefaultValue @NestedConfigurationProperty RedisConnection redis,
        @DefaultValue @NestedConfigurationProperty PostgresConnection postgres,
        @DefaultValue @NestedConfigurationProperty StandaloneSettings standalone) {
    /** What every key begins with. */
    public static final String PREFIX = "heddle";

    /** What the adapters would refuse later is refused here, before anything is started. */
    public HeddleSettings {
        requireOwnPorts(mqtt, http);
        kafka.toKafkaSettings(buckets);
        kafka.toProducerSettings(node);
        applications.toLogSettings();
        redis.toRedisSettings();
        postgres.toPostgresSettings();
    }

    private static void requireOwnPorts(MqttSettings mqtt, HttpSettings http) {
        if (mqtt.port() == http.port() && mqtt.port() != 0 && overlap(mqtt.address(), http.address())) {
            throw new StartupException(
                    "heddle.mqtt.port (--mqtt-port) and heddle.http.port (--http-port) are both " + mqtt.port()
                            + ": give one of them another port, or 0 for a free one",
                    null);
        }
    }

    private static boolean overlap(InetAddress one, InetAddress other) {
        return one.equals(other) || one.isAnyLocalAddress() || other.isAnyLocalAddress();
    }
}
