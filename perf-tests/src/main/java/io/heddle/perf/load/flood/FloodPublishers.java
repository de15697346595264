package io.heddle.perf.load.flood;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.wire.MqttVersion;
import io.heddle.perf.load.wire.PublishTemplate;

/**
 * Attackers that publish to one topic: at QoS 0 as fast as the socket accepts data, at QoS 1 with a limited number of unacknowledged
 * messages. Owner: the attack's thread.
 */
final class FloodPublishers {
    private static final int MAXIMUM_PACKET_ID = 0xFFFF;
    // Messages of one publisher in one turn.
    private static final int BURST = 64;

    /**
     * The load of each publisher.
     *
     * @param window maximum unacknowledged QoS 1 messages
     * @param limit maximum messages
     */
    record Load(int publishers, String topic, int qos, int payloadBytes, int window, long limit) {}

    private final AttackContext context;
    private final Load load;
    private final int run;
    private final PublishTemplate template;
    private final AttackerPool pool;
    private final long[] published;

    /** Connects the publishers; {@code name} is part of their client identifiers. */
    FloodPublishers(AttackContext context, String name, Load load, int run) {
        this.context = context;
        this.load = load;
        this.run = run;
        byte[] payload = "x".repeat(load.payloadBytes()).getBytes(US_ASCII);
        template = new PublishTemplate(MqttVersion.V5, load.topic(), load.qos(), false, payload);
        published = new long[load.publishers()];
        pool = new AttackerPool(
                        context,
                        load.publishers(),
                        AttackerBehaviour.ORDINARY,
                        number -> context.clients().transientClient(name + "-" + number, null))
                .connect();
    }

    /** The number of sent messages by publisher. */
    long[] published() {
        return published;
    }

    /** Publishes. Returns whether a publisher can continue immediately. */
    boolean turn(long nowNanos) {
        pool.turn(nowNanos);
        boolean more = false;
        for (Attacker publisher : pool.members()) {
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
        // The buffer is shared with other connections, so this connection must empty it.
        to.flush();
        return sent == BURST;
    }

    private boolean isOpen(Attacker publisher) {
        return load.qos() == 0 || publisher.unacknowledged() < load.window();
    }
}
