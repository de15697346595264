package io.heddle.persistence.kafka;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.FaultReason;
import io.heddle.persistence.SettingRule;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/** Turns faults of Kafka at start into messages that tell the operator what to change, and finds the cause of later faults. */
public final class KafkaFaults {
    private static final String PROPERTIES = "heddle.kafka.properties.";

    private final KafkaSettings settings;

    public KafkaFaults(KafkaSettings settings) {
        this.settings = settings;
    }

    /** Returns the fault itself, without the exceptions of futures and ports around it. Any thread. */
    public static Throwable cause(Throwable failure) {
        return (failure instanceof CompletionException || failure instanceof StoreUnavailableException)
                        && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }

    /** Describes settings that Kafka's client rejects: malformed or unknown bootstrap servers, or the client's own settings. */
    public StartupException badSettings(Throwable fault) {
        String reason = FaultReason.of(fault);
        // The client's message names the setting.
        if (settings.properties().isEmpty() || reason.contains(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
            return new StartupException(
                    "Kafka's client rejects heddle.kafka.bootstrap-servers=" + settings.bootstrapServers() + " ("
                            + reason + "): set it to host:port of at least one of Kafka's brokers",
                    fault);
        }
        String missing = securityProtocol().startsWith("SASL")
                        && !settings.properties().containsKey(SaslConfigs.SASL_JAAS_CONFIG)
                ? "set " + PROPERTIES + SaslConfigs.SASL_JAAS_CONFIG + ", which " + PROPERTIES
                        + CommonClientConfigs.SECURITY_PROTOCOL_CONFIG + "=" + securityProtocol() + " requires, or "
                : "";
        return new StartupException(
                "Kafka's client rejects its settings (" + reason + "): " + missing + "correct "
                        + settings.properties().keySet().stream()
                                .sorted()
                                .map(PROPERTIES::concat)
                                .collect(Collectors.joining(", ")),
                fault);
    }

    /** Describes a failed connection. */
    public StartupException connecting(Throwable fault) {
        String sentence = switch (fault) {
            case SslAuthenticationException tls ->
                "TLS handshake with " + at() + " failed (" + tls.getMessage()
                        + "): correct heddle.kafka.properties.ssl.* or heddle.kafka.properties.security.protocol";
            case AuthenticationException rejected ->
                at() + " rejects Heddle's credentials (" + rejected.getMessage()
                        + "): correct heddle.kafka.properties.sasl.jaas.config";
            case AuthorizationException forbidden ->
                at() + " does not authorize Heddle's account to describe the cluster (" + forbidden.getMessage()
                        + "): grant it DESCRIBE on the cluster";
            case TimeoutException silent -> noAnswer();
            case org.apache.kafka.common.errors.TimeoutException silent -> noAnswer();
            default ->
                at() + " is not usable (" + fault.getMessage()
                        + "): correct heddle.kafka.bootstrap-servers and heddle.kafka.properties.*";
        };
        return new StartupException(sentence, fault);
    }

    /** Describes a missing topic that was not created in time. */
    StartupException creating(KafkaTopics.Topic topic, int brokers, Throwable fault) {
        String sentence = switch (fault) {
            case InvalidReplicationFactorException tooLarge ->
                at() + " has " + brokers + (brokers == 1 ? " broker" : " brokers")
                        + ", but heddle.kafka.replication-factor is " + settings.replicationFactor()
                        + ": set it to " + brokers + " or less, or start more brokers";
            case AuthorizationException forbidden ->
                at() + " does not authorize Heddle's account to create or read topic " + topic.name()
                        + ": grant it all operations on topics with the prefix heddle.";
            case PolicyViolationException policy ->
                at() + " has a policy that forbids topic " + topic.name() + " (" + policy.getMessage()
                        + "): relax the policy for topics with the prefix heddle.";
            case AuthenticationException rejected ->
                String.valueOf(connecting(rejected).getMessage());
            default ->
                at() + " did not create topic " + topic.name() + " within "
                        + SettingRule.seconds(settings.connectTimeout()) + " (" + fault.getMessage()
                        + "): check Kafka's log, or raise heddle.kafka.connect-timeout";
        };
        return new StartupException(sentence, fault);
    }

    /** Describes a topic for which Heddle's account lacks rights. */
    StartupException rights(KafkaTopics.Topic topic, Set<AclOperation> missing) {
        return new StartupException(
                at() + " does not grant Heddle's account " + missing + " on topic " + topic.name()
                        + ": grant it all operations on topics with the prefix heddle.",
                null);
    }

    /** Describes a failure to start transactions. */
    public StartupException transactions(Throwable fault) {
        String sentence = switch (fault) {
            case AuthorizationException forbidden ->
                at() + " does not authorize Heddle's account to write transactions (" + forbidden.getMessage()
                        + "): grant it WRITE and DESCRIBE on transactional ids with the prefix heddle-";
            default ->
                at() + " does not start transactions (" + fault.getMessage()
                        + "): check that it can create its topic __transaction_state, which needs"
                        + " transaction.state.log.replication.factor brokers";
        };
        return new StartupException(sentence, fault);
    }

    /** Describes a topic with another number of partitions than configured. */
    StartupException partitions(KafkaTopics.Topic topic, int stored) {
        String found = "Topic " + topic.name() + " in " + at() + " has " + stored
                + (stored == 1 ? " partition" : " partitions");
        if (topic.partitionsSetting() == null) {
            return new StartupException(
                    found + ", but Heddle creates it with " + topic.partitions()
                            + ", and a key that moves to another partition reverts to an old value: copy its records to a topic"
                            + " with " + topic.partitions() + " partitions and the same name",
                    null);
        }
        return new StartupException(
                found + ", but " + topic.partitionsSetting() + " is " + topic.partitions() + ": set it back to "
                        + stored + ", because a node cannot redistribute stored records",
                null);
    }

    /** Describes a topic configuration that would lose messages. */
    StartupException configuration(KafkaTopics.Topic topic, String key, String needed, String found) {
        return new StartupException(
                "Topic " + topic.name() + " in " + at() + " has " + key + "=" + found + ", which loses messages: run "
                        + "kafka-configs.sh --alter --entity-type topics --entity-name " + topic.name()
                        + " --add-config " + key + "=" + needed,
                null);
    }

    private String noAnswer() {
        return "Kafka does not answer at " + settings.bootstrapServers() + " within "
                + SettingRule.seconds(settings.connectTimeout())
                + ": start it, or correct heddle.kafka.bootstrap-servers"
                + (securityProtocol().isEmpty()
                        ? ""
                        : ", or correct " + PROPERTIES + CommonClientConfigs.SECURITY_PROTOCOL_CONFIG + " ("
                                + securityProtocol() + "), which may not fit that listener");
    }

    /** Returns the protocol in upper case, or an empty text when it is not set. */
    private String securityProtocol() {
        return settings.properties()
                .getOrDefault(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, "")
                .toUpperCase(Locale.ROOT);
    }

    private String at() {
        return "Kafka at " + settings.bootstrapServers();
    }
}
