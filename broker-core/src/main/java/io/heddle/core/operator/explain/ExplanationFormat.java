package io.heddle.core.operator.explain;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.PastMessages.DroppedMessage;
import io.heddle.core.client.PastMessages.Remembered;
import io.heddle.core.client.PastMessages.SentMessage;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.operator.client.SubscriptionEntry;
import io.heddle.core.operator.explain.Delivery.Output;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The question about deliveries to a client, and its answer.
 *
 * <pre>
 * question: u8 version, 1; text client id; text topic; u8 QoS; i64 since when past messages are asked for, or the highest number for not at all
 * answer:   u8 version, 1; i64 start of the node, in milliseconds since 1970; i64 last disconnection of the client, or 0;
 *           u8 number of ended nodes; each: text node id; i64 when it has ended
 *           u8 whether the node remembers messages for the client; if so, times in milliseconds since 1970:
 *               i64 begin; i64 all missed messages since; i64 all deliveries since; u8 number of messages that the client has missed; each:
 *                   i64 time; text reason; u8 has a topic; text topic, perhaps cut; u32 its checksum if it is cut;
 *                       u8 QoS; u32 bytes, or 2^32 - 1 if they are unknown
 *               u8 number of deliveries on the topic; each:
 *                   i64 time; i64 sent again, or 0; i64 acknowledged, or 0; u8 QoS; u32 bytes; u16 Packet Identifier
 *           u8 number of contenders; each: text address; u8 has a user name; text user name; i64 closed; i64 last, in milliseconds since 1970
 *           u8 whether the client is connected to the node; if so:
 *               u32 subscriptions; u8 granted QoS; u8 all shared; u8 all No Local; u8 number of those that match, each {@link SubscriptionEntry#write}; the same of similar ones;
 *               u8 allowed; u32 number of the rule, or 0; text rule;
 *               u8 idle; u8 reading; u8 paused; u32 in flight; u32 maximum; i64 waiting
 * </pre>
 */
final class ExplanationFormat {
    private static final int VERSION = 1;

    private ExplanationFormat() {}

    /** @param sinceMillis the time of the first past messages; the highest number if none are asked for */
    record Question(ClientId clientId, TopicName topic, QoS qos, long sinceMillis) {
        byte[] encode() {
            return new BinaryWriter()
                    .u8(VERSION)
                    .text(clientId.value())
                    .text(topic.value())
                    .u8(qos.level())
                    .i64(sinceMillis)
                    .toBytes();
        }

        static Question decode(byte[] bytes) {
            FrameReader in = new FrameReader("a question about deliveries to a client", bytes);
            in.version(VERSION);
            String clientId = in.text();
            if (clientId.isEmpty()) {
                throw in.malformed("it has no client id");
            }
            Question question = new Question(new ClientId(clientId), in.topic(), in.qos(in.u8()), in.i64());
            in.finish();
            return question;
        }
    }

    /**
     * The answer of a node.
     *
     * @param startMillis since when the node can remember anything, in milliseconds since 1970
     * @param lastDisconnectionMillis of the client from the node; 0 if there was none for a day
     * @param ended the ids of nodes that have left or were declared dead since the node has started, with the time
     * @param remembered the messages that the client has missed, and its deliveries on the topic since the time that is asked for; null if the
     *     node remembers nothing
     * @param delivery null if the client is not connected to the node
     */
    record Answer(
            long startMillis,
            long lastDisconnectionMillis,
            Map<String, Long> ended,
            @Nullable Remembered remembered,
            List<Contender> contenders,
            @Nullable Delivery delivery) {
        byte[] encode(int maximumBytes) {
            BinaryWriter out = new BinaryWriter()
                    .u8(VERSION)
                    .i64(startMillis)
                    .i64(lastDisconnectionMillis)
                    .u8(ended.size());
            ended.forEach((node, millis) -> out.text(node).i64(millis));
            write(remembered, out);
            out.u8(contenders.size());
            contenders.forEach(each -> contender(each, out));
            Delivery found = delivery;
            if (found == null) {
                return out.u8(0).toBytes();
            }
            out.u8(1)
                    .u32(found.subscriptions())
                    .u8(found.qos().level())
                    .u8(found.isShared() ? 1 : 0)
                    .u8(found.isNoLocal() ? 1 : 0);
            // Each half of the rest has a part of the room, because filters may be long.
            entries(found.matching(), (maximumBytes - out.length()) / 2, out);
            entries(found.similar(), (maximumBytes - out.length()) / 2, out);
            RuleDecision rules = found.rules();
            Output output = found.output();
            if (rules == null || output == null) {
                throw new IllegalStateException("the client is not connected");
            }
            return out.u8(rules.isAllowed() ? 1 : 0)
                    .u32(rules.number())
                    .text(rules.rule() == null ? "" : rules.rule())
                    .u8(output.isIdle() ? 1 : 0)
                    .u8(output.isReading() ? 1 : 0)
                    .u8(output.isPaused() ? 1 : 0)
                    .u32(output.inFlight())
                    .u32(output.maximumInFlight())
                    .i64(output.waiting())
                    .toBytes();
        }

        /** @param topic that of the question */
        static Answer decode(byte[] bytes, TopicName topic) {
            FrameReader in = new FrameReader("an answer about deliveries to a client", bytes);
            in.version(VERSION);
            long startMillis = in.i64();
            long lastDisconnectionMillis = in.i64();
            int ends = in.u8();
            Map<String, Long> ended = new HashMap<>();
            for (int i = 0; i < ends; i++) {
                ended.put(in.text(), in.i64());
            }
            Remembered remembered = in.u8() == 0 ? null : readRemembered(topic, in);
            int fighting = in.u8();
            List<Contender> contenders = new ArrayList<>();
            for (int i = 0; i < fighting; i++) {
                contenders.add(contender(in));
            }
            Delivery delivery = in.u8() == 0 ? null : readDelivery(in);
            in.finish();
            return new Answer(startMillis, lastDisconnectionMillis, ended, remembered, contenders, delivery);
        }
    }

    private static void write(@Nullable Remembered known, BinaryWriter out) {
        if (known == null) {
            out.u8(0);
            return;
        }
        out.u8(1)
                .i64(known.beginMillis())
                .i64(known.dropsFromMillis())
                .i64(known.deliveriesFromMillis())
                .u8(known.drops().size());
        known.drops().forEach(each -> drop(each, out));
        out.u8(known.deliveries().size());
        known.deliveries()
                .forEach(each -> out.i64(each.millis())
                        .i64(each.againMillis())
                        .i64(each.acknowledgedMillis())
                        .u8(each.qos().level())
                        .u32(each.payloadBytes())
                        .u16(each.packetId()));
    }

    private static Remembered readRemembered(TopicName topic, FrameReader in) {
        long beginMillis = in.i64();
        long dropsFromMillis = in.i64();
        long deliveriesFromMillis = in.i64();
        int missed = in.u8();
        List<DroppedMessage> drops = new ArrayList<>();
        for (int i = 0; i < missed; i++) {
            drops.add(drop(in));
        }
        int sent = in.u8();
        List<SentMessage> deliveries = new ArrayList<>();
        for (int i = 0; i < sent; i++) {
            deliveries.add(new SentMessage(
                    in.i64(), in.i64(), in.i64(), topic.value(), in.qos(in.u8()), (int) in.u32(), in.u16()));
        }
        return new Remembered(beginMillis, dropsFromMillis, deliveriesFromMillis, drops, deliveries);
    }

    private static void drop(DroppedMessage message, BinaryWriter out) {
        String topic = message.topic();
        out.i64(message.millis())
                .text(message.reason())
                .u8(topic == null ? 0 : 1)
                .text(topic == null ? "" : topic)
                .u32(Integer.toUnsignedLong(message.topicChecksum()))
                .u8(message.qos().level())
                .u32(Integer.toUnsignedLong(message.payloadBytes()));
    }

    private static DroppedMessage drop(FrameReader in) {
        long millis = in.i64();
        String reason = in.text();
        boolean hasTopic = in.u8() == 1;
        String topic = in.text();
        int checksum = (int) in.u32();
        return new DroppedMessage(millis, reason, hasTopic ? topic : null, checksum, in.qos(in.u8()), (int) in.u32());
    }

    private static void contender(Contender contender, BinaryWriter out) {
        String userName = contender.userName();
        out.text(contender.address())
                .u8(userName == null ? 0 : 1)
                .text(userName == null ? "" : userName)
                .i64(contender.closed())
                .i64(contender.lastMillis());
    }

    private static Contender contender(FrameReader in) {
        String address = in.text();
        boolean hasUserName = in.u8() == 1;
        String userName = in.text();
        return new Contender(address, hasUserName ? userName : null, in.i64(), in.i64());
    }

    private static void entries(List<SubscriptionEntry> entries, int maximumBytes, BinaryWriter out) {
        BinaryWriter fitting = new BinaryWriter();
        BinaryWriter entry = new BinaryWriter();
        int count = 0;
        for (SubscriptionEntry each : entries) {
            entry.clear();
            each.write(entry);
            if (fitting.length() + entry.length() > maximumBytes) {
                break;
            }
            fitting.raw(entry.toBytes());
            count++;
        }
        out.u8(count).raw(fitting.toBytes());
    }

    private static List<SubscriptionEntry> entries(FrameReader in) {
        int count = in.u8();
        List<SubscriptionEntry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(SubscriptionEntry.read(in));
        }
        return entries;
    }

    private static Delivery readDelivery(FrameReader in) {
        int subscriptions = (int) in.u32();
        QoS qos = in.qos(in.u8());
        boolean isShared = in.u8() == 1;
        boolean isNoLocal = in.u8() == 1;
        List<SubscriptionEntry> matching = entries(in);
        List<SubscriptionEntry> similar = entries(in);
        boolean isAllowed = in.u8() == 1;
        int number = (int) in.u32();
        String rule = in.text();
        Output output = new Output(in.u8() == 1, in.u8() == 1, in.u8() == 1, (int) in.u32(), (int) in.u32(), in.i64());
        return new Delivery(
                subscriptions,
                qos,
                isShared,
                isNoLocal,
                matching,
                similar,
                new RuleDecision(isAllowed, number, number == 0 ? null : rule),
                output);
    }
}
