package io.heddle.standalone;

import java.util.Map;

/** The SASL/PLAIN account that clients, nodes and controllers of the bundled Kafka use on every listener. */
final class KafkaAccount {
    static final String USER = "heddle";

    private static final String MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule required";

    private KafkaAccount() {}

    static Map<String, String> clientSettings(String password) {
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                MODULE + login(password) + ";");
    }

    /** The settings of a node, whose listeners are named CLIENT, INTERNAL and CONTROLLER. */
    static String nodeSettings(String password) {
        String accepts = " user_" + USER + "=\"" + password + "\"";
        return """
                listener.security.protocol.map=CLIENT:SASL_PLAINTEXT,INTERNAL:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT
                sasl.enabled.mechanisms=PLAIN
                sasl.mechanism.inter.broker.protocol=PLAIN
                sasl.mechanism.controller.protocol=PLAIN
                listener.name.client.plain.sasl.jaas.config=%s;
                listener.name.internal.plain.sasl.jaas.config=%s;
                listener.name.controller.plain.sasl.jaas.config=%s;
                """.formatted(MODULE + accepts, MODULE + login(password) + accepts, MODULE + login(password) + accepts);
    }

    private static String login(String password) {
        return " username=\"" + USER + "\" password=\"" + password + "\"";
    }
}
