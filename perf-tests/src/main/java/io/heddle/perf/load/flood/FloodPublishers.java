package io.heddle.perf.load.flood;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.wire.MqttVersion;
import io.heddle.perf.load.wire.PublishTemplate;

/**
 * Attackers that publish to one topic: with QoS 0 as fast as the socket takes it, with QoS 1 with a window of unacknowledged
 * messages. Owner: the attack's thread.
 */
final class FloodPublishers {
    private static final int MAXIMUM_PACKET_ID = 0xFFFF;
    // Messages of one publisher in one turn.
    private static final int BURST = 64;

    /**
     * What each publisher sends.
     *
     * @param window unacknowledged messages of each publisher with QoS 1
     * @param limit messages of each publisher
     */
    record Load(int publishers, String topic, int qos, int payloadBytes, int window, long limit) {}

    private final AttackContext context;
    private final Load load;
    private final int run;
    private final PublishTemplate template;
    private final Crowd crowd;
    private final long[] published;

    /** Connected; {@code name} is part of their client identifiers. */
    FloodPublishers(AttackContext context, String name, Load load, int run) {
        this.context = context;
        this.load = load;
        this.run = run;
        byte[] payload = "x".repeat(load.payloadBytes()).getBytes(US_ASCII);
        template = new PublishTemplate(MqttVersion.V5, load.topic(), load.qos(), payload);
        published = new long[load.publishers()];
        crowd = new Crowd(
                        context,
                        load.publishers(),
                        Conduct.ORDINARY,
                        number -> context.clients().transientClient(name + "-" + number, null))
                .connect();
    }

    /** By publisher, how many messages it has sent. */
    long[] published() {
        return published;
    }

    /** Publishes; true when a publisher could go on at once. */
    boolean turn(long nowNanos) {
        crowd.turn(nowNanos);
        boolean more = false;
        for (Attacker publisher : crowd.members()) {
            more |= publish(publisher, nowNanos);
        }
        return more;
    }

    private boolean publish(Attacker publisher, long nowNanos) {
        Connection to = publisher.writableConnection();
        if (to == null) {
            return false;
        }
        int number = publisher.number();
        int sent = 0;
        while (sent < BURST && published[number] < load.limit() && isOpen(publisher) && to.isWritable()) {
            long sequence = published[number]++;
            int packetId = 0;
            if (load.qos() > 0) {
                packetId = (int) (sequence % MAXIMUM_PACKET_ID) + 1;
                publisher.expectAcknowledgement();
            }
            template.write(to.room(template.bytes()), packetId, run, number, sequence, nowNanos);
            context.counts().sent(1, template.bytes());
            sent++;
        }
        // The buffer is shared: whatever is in it belongs to this connection.
        to.flush();
        return sent == BURST;
    }

    private boolean isOpen(Attacker publisher) {
        return load.qos() == 0 || publisher.unacknowledged() < load.window();
    }
}
