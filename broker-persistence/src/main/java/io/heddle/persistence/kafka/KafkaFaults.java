package io.heddle.persistence.kafka;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.FaultReason;
import io.heddle.persistence.SettingRule;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/** What a fault of Kafka at start means for the person who set it up. */
public final class KafkaFaults {
    private static final String PROPERTIES = "heddle.kafka.properties.";

    private final KafkaSettings settings;

    public KafkaFaults(KafkaSettings settings) {
        this.settings = settings;
    }

    /** The bootstrap servers are not addresses, or no name among them is known, or something in the client's own settings is wrong. */
    public StartupException badSettings(Throwable fault) {
        String reason = FaultReason.of(fault);
        // The client says it by the name of its setting.
        if (settings.properties().isEmpty() || reason.contains(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
            return new StartupException(
                    "Kafka's client does not accept heddle.kafka.bootstrap-servers=" + settings.bootstrapServers()
                            + " (" + reason + "): set it to host:port of at least one of Kafka's brokers",
                    fault);
        }
        String missing = securityProtocol().startsWith("SASL")
                        && !settings.properties().containsKey(SaslConfigs.SASL_JAAS_CONFIG)
                ? "set " + PROPERTIES + SaslConfigs.SASL_JAAS_CONFIG + ", which " + PROPERTIES
                        + CommonClientConfigs.SECURITY_PROTOCOL_CONFIG + "=" + securityProtocol() + " needs, or "
                : "";
        return new StartupException(
                "Kafka's client does not accept its settings (" + reason + "): " + missing + "correct "
                        + settings.properties().keySet().stream()
                                .sorted()
                                .map(PROPERTIES::concat)
                                .collect(Collectors.joining(", ")),
                fault);
    }

    /** Connecting failed. */
    public StartupException connecting(Throwable fault) {
        String sentence = switch (fault) {
            case SslAuthenticationException tls ->
                at() + " and Heddle do not agree on TLS (" + tls.getMessage()
                        + "): correct heddle.kafka.properties.ssl.*";
            case AuthenticationException refused ->
                at() + " refuses Heddle's account (" + refused.getMessage()
                        + "): correct heddle.kafka.properties.sasl.jaas.config";
            case AuthorizationException forbidden ->
                at() + " does not let Heddle's account describe it (" + forbidden.getMessage()
                        + "): grant it DESCRIBE on the cluster";
            case TimeoutException silent -> silence();
            case org.apache.kafka.common.errors.TimeoutException silent -> silence();
            default ->
                at() + " can't be used (" + fault.getMessage()
                        + "): correct heddle.kafka.bootstrap-servers and heddle.kafka.properties.*";
        };
        return new StartupException(sentence, fault);
    }

    /** A topic is missing and could not be created in time. */
    StartupException creating(KafkaTopics.Topic topic, int brokers, Throwable fault) {
        String sentence = switch (fault) {
            case InvalidReplicationFactorException tooLarge ->
                at() + " has " + brokers + (brokers == 1 ? " broker" : " brokers")
                        + ", but heddle.kafka.replication-factor is " + settings.replicationFactor()
                        + ": set it to " + brokers + " or less, or start more brokers";
            case AuthorizationException forbidden ->
                at() + " does not let Heddle's account create or read topic " + topic.name()
                        + ": grant it all operations on topics with the prefix heddle.";
            case PolicyViolationException policy ->
                at() + " does not allow topic " + topic.name() + " (" + policy.getMessage()
                        + "): relax that policy for topics with the prefix heddle.";
            case AuthenticationException refused ->
                String.valueOf(connecting(refused).getMessage());
            default ->
                at() + " did not create topic " + topic.name() + " within "
                        + SettingRule.seconds(settings.connectTimeout()) + " (" + fault.getMessage()
                        + "): look at Kafka's log, or raise heddle.kafka.connect-timeout";
        };
        return new StartupException(sentence, fault);
    }

    /** No transaction can be begun. */
    public StartupException transactions(Throwable fault) {
        String sentence = switch (fault) {
            case AuthorizationException forbidden ->
                at() + " does not let Heddle's account write transactions (" + forbidden.getMessage()
                        + "): grant it WRITE and DESCRIBE on transactional ids with the prefix heddle-";
            default ->
                at() + " does not begin a transaction (" + fault.getMessage()
                        + "): see that its topic __transaction_state can be made, which needs"
                        + " transaction.state.log.replication.factor brokers";
        };
        return new StartupException(sentence, fault);
    }

    /** A topic was made with another number of partitions. */
    StartupException partitions(KafkaTopics.Topic topic, int stored) {
        String kept = at() + " keeps " + stored + (stored == 1 ? " partition" : " partitions") + " of " + topic.name();
        if (topic.partitionsSetting() == null) {
            return new StartupException(
                    kept + ", but Heddle made it with " + topic.partitions()
                            + ", and a key that moves to another partition"
                            + " comes back with an old value: copy its records to a topic with " + topic.partitions()
                            + " partitions and the same name",
                    null);
        }
        return new StartupException(
                kept + ", but " + topic.partitionsSetting() + " is " + topic.partitions() + ": set it back to " + stored
                        + ", because what is stored can't be moved by a node that starts",
                null);
    }

    /** A topic has a setting that breaks a promise. */
    StartupException configuration(KafkaTopics.Topic topic, String key, String needed, String found) {
        return new StartupException(
                at() + " keeps topic " + topic.name() + " with " + key + "=" + found + ", which loses messages: run "
                        + "kafka-configs.sh --alter --entity-type topics --entity-name " + topic.name()
                        + " --add-config " + key + "=" + needed,
                null);
    }

    private String silence() {
        return "Kafka does not answer at " + settings.bootstrapServers() + " within "
                + SettingRule.seconds(settings.connectTimeout())
                + ": start it, or set heddle.kafka.bootstrap-servers to where it is"
                + (securityProtocol().isEmpty()
                        ? ""
                        : ", or correct " + PROPERTIES + CommonClientConfigs.SECURITY_PROTOCOL_CONFIG + " ("
                                + securityProtocol() + "), which may not fit that listener");
    }

    /** In capitals; empty when it is not set. */
    private String securityProtocol() {
        return settings.properties()
                .getOrDefault(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, "")
                .toUpperCase(Locale.ROOT);
    }

    private String at() {
        return "Kafka at " + settings.bootstrapServers();
    }
}
