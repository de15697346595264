package io.heddle.perf.load.traffic;

import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.client.Role;
import io.heddle.perf.load.wire.BrokerFaultException;
import io.heddle.perf.load.wire.LargePackets;
import io.heddle.perf.load.wire.MqttVersion;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to its topics in turn, with RETAIN at QoS 1, and again from the first one. Owner: the load's thread. Bound: the unacknowledged
 * messages of the plan.
 */
final class RetainedPublisher implements Role {
    private static final int TOPICS_IN_GROUP = 1_000;

    private final RetainedTraffic traffic;
    private final RetainedPlan plan;
    private final MqttVersion version;
    private final int number;
    private final int topics;
    private final byte[] payload;
    // By packet identifier - 1: the send time of its message. A message waits for the identifier of the oldest one.
    private final long[] sentNanos;
    private int identifiers;
    private long sent;
    private long completed;
    private long limit = Long.MAX_VALUE;
    private @Nullable Connection connection;

    RetainedPublisher(RetainedTraffic traffic, RetainedPlan plan, MqttVersion version, int number, byte[] payload) {
        this.traffic = traffic;
        this.plan = plan;
        this.version = version;
        this.number = number;
        this.payload = payload;
        topics = (plan.topics() - number + plan.publishers() - 1) / plan.publishers();
        sentNanos = new long[plan.unacknowledged()];
    }

    void connected(Connection ready) {
        connection = ready;
        identifiers = Math.min(sentNanos.length, ready.receiveMaximum());
    }

    /** Stops after each topic has one message. */
    void stopAfterOneRound() {
        limit = topics;
    }

    /** Sends no further message. */
    void stop() {
        limit = sent;
    }

    /** Continues without a limit. */
    void resume() {
        limit = Long.MAX_VALUE;
    }

    /** Returns whether all messages up to the limit are sent and acknowledged. */
    boolean isDone() {
        return sent >= limit && sent == completed;
    }

    long unacknowledged() {
        return sent - completed;
    }

    /** Sends as many messages as the plan and the broker's Receive Maximum permit while the socket is writable. */
    void send() {
        Connection to = connection;
        if (to == null || !to.isWritable()) {
            return;
        }
        long now = System.nanoTime();
        while (sent < limit && sent - completed < identifiers && to.isWritable()) {
            int slot = (int) (sent % identifiers);
            long topic = number + sent % topics * plan.publishers();
            String name = "retained/" + topic / TOPICS_IN_GROUP + "/" + topic % TOPICS_IN_GROUP;
            byte[] packet = LargePackets.publish(version, name, 1, true, slot + 1, payload);
            sentNanos[slot] = now;
            to.room(packet.length).put(packet);
            sent++;
        }
        to.flush();
    }

    @Override
    public void delivered(ByteBuffer in, int payloadAt, int payloadLength, long nowNanos) {
        throw new BrokerFaultException("a message to a client without subscriptions");
    }

    @Override
    public void acknowledged(int packetId, int reasonCode, long nowNanos) {
        traffic.acknowledged(nowNanos - sentNanos[packetId - 1], reasonCode);
    }

    @Override
    public void completed(int packetId) {
        if (packetId != completed % identifiers + 1) {
            throw new BrokerFaultException("PUBACK of packet identifier " + packetId + " out of order");
        }
        completed++;
    }

    @Override
    public void writable() {}

    @Override
    public void broken(String reason) {
        traffic.broken(reason);
    }
}
