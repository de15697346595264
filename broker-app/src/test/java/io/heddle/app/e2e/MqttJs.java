package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** The client mqtt.js in a process of Node.js. Skips the test if either is missing. */
final class MqttJs {
    private static final String SCRIPT = """
            const [modules, url, clientId, version, topic, length, authority] = process.argv.slice(1);
            const mqtt = require(modules + '/mqtt');
            const client = mqtt.connect(url, {
              protocolVersion: Number(version), protocolId: version === '3' ? 'MQIsdp' : 'MQTT', clientId,
              ca: authority ? require('fs').readFileSync(authority) : undefined });
            const payload = 'z'.repeat(Number(length));
            client.on('error', error => { console.error(error); process.exit(1); });
            client.on('message', (from, message) => {
              console.log(from, message.toString() === payload);
              client.end(() => process.exit(0));
            });
            client.subscribe(topic, { qos: 2 }, () => client.publish(topic, payload, { qos: 2 }));
            """;

    private MqttJs() {}

    /**
     * Publishes a message to itself at QoS 2.
     *
     * @param version 3 is MQTT 3.1, 4 is MQTT 3.1.1
     */
    static void exchange(ListenerAddress address, int version, String topic, int length) throws Exception {
        String modules = String.valueOf(System.getenv("HEDDLE_TEST_MQTTJS"));
        assumeTrue(OtherProgram.isOnPath("node"), "node is not on the PATH: apt-get install npm");
        assumeTrue(
                Files.isDirectory(Path.of(modules, "mqtt")),
                "HEDDLE_TEST_MQTTJS does not name a node_modules with mqtt: npm install mqtt");

        OtherProgram.Ended ended = OtherProgram.run(
                "node",
                "-e",
                SCRIPT,
                modules,
                address.url("mqtt", "mqtts").toString(),
                Library.newClientId(),
                Integer.toString(version),
                topic,
                Integer.toString(length),
                address.kind().isEncrypted() ? address.trial().authorityFile().toString() : "");

        assertThat(ended.output()).isEqualTo(topic + " true\n");
        assertThat(ended.status()).isZero();
    }
}
