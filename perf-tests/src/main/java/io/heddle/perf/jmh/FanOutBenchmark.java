package io.heddle.perf.jmh;

import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PublishPacket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * From core's packet to the bytes for the socket: messages to all connections of an event loop in one turn, with the real pipeline,
 * connection, encoder and write, but without a socket. One operation is one turn; the row {@code :copy} is the time for each copy.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Djmh.executor=CUSTOM",
            "-Djmh.executor.class=io.heddle.perf.jmh.EventLoopThreads"
        })
public class FanOutBenchmark {
    /** The subscribers of one event loop, half of them of MQTT 3.1.1 and half of 5.0. */
    @State(Scope.Thread)
    public static class Subscribers {
        @Param({"100", "3000"})
        private int connections;

        @Param({"66", "1024"})
        private int payloadBytes;

        /** The number of messages in one turn. */
        @Param({"1", "10"})
        private int messages;

        private final ConnectionsWithoutNetwork network = new ConnectionsWithoutNetwork();
        private TopicName[] topics = {};
        private BinaryData[] payloads = {};
        private int packetId;

        /** Connects the clients and checks the number of bytes that they get. */
        @Setup(Level.Trial)
        public void connect() {
            topics = new TopicName[messages];
            payloads = new BinaryData[messages];
            for (int i = 0; i < messages; i++) {
                topics[i] = SampleData.parse(SampleData.topic(7, 3, 10 + i));
                payloads[i] = BinaryData.wrap(new byte[payloadBytes]);
            }
            for (int i = 0; i < connections; i++) {
                network.connect(i % 2 == 0 ? MqttVersion.V3_1_1 : MqttVersion.V5);
            }
            network.endTurn();
            long before = network.writtenBytes();
            sendToAll(QoS.AT_MOST_ONCE, new Sent());
            int fixedBytes = 2 + (payloadBytes > 100 ? 1 : 0);
            int packetBytes = fixedBytes + Short.BYTES + topics[0].value().length() + payloadBytes;
            // A packet of MQTT 5.0 has one more byte, for the empty properties.
            long expected = (long) messages * connections * packetBytes + (long) messages * (connections / 2);
            if (network.writtenBytes() - before != expected) {
                throw new IllegalStateException(
                        (network.writtenBytes() - before) + " bytes were written, not " + expected);
            }
        }

        private void sendToAll(QoS qos, Sent sent) {
            List<Connection> all = network.connections();
            for (int m = 0; m < messages; m++) {
                PublishPacket shared = qos == QoS.AT_MOST_ONCE ? packet(m, qos) : null;
                for (int i = 0; i < all.size(); i++) {
                    if (!all.get(i).send(shared == null ? packet(m, qos) : shared)) {
                        throw new IllegalStateException("a packet was not sent");
                    }
                }
            }
            network.endTurn();
            sent.copy += (long) messages * all.size();
        }

        private PublishPacket packet(int message, QoS qos) {
            return new PublishPacket(
                    topics[message],
                    PublishPacket.NO_TOPIC_ALIAS,
                    qos,
                    false,
                    false,
                    qos == QoS.AT_MOST_ONCE ? PublishPacket.NO_PACKET_ID : 1 + (packetId++ & 0x7FFF),
                    PublishProperties.NONE,
                    List.of(),
                    payloads[message]);
        }

        /** Closes the connections. */
        @TearDown
        public void close() {
            network.close();
        }
    }

    /** Counts copies; JMH reports the time for each as the row {@code :copy}. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Sent {
        /** The number of sent copies. */
        public long copy;
    }

    /** QoS 0: all connections share the packet object of a message. */
    @Benchmark
    public void onePacketToAll(Subscribers subscribers, Sent sent) {
        subscribers.sendToAll(QoS.AT_MOST_ONCE, sent);
    }

    /** QoS 1: each connection gets a packet object with its own identifier, which shares topic, properties and payload. */
    @Benchmark
    public void onePacketToEach(Subscribers subscribers, Sent sent) {
        subscribers.sendToAll(QoS.AT_LEAST_ONCE, sent);
    }
}
