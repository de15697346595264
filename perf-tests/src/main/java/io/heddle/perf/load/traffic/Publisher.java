package io.heddle.perf.load.traffic;

import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.client.Role;
import io.heddle.perf.load.wire.BrokerFaultException;
import io.heddle.perf.load.wire.PublishTemplate;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A publishing client. Owner: the load's thread. Bound: the unacknowledged messages of the plan. */
final class Publisher implements Role {
    private static final long FREE = Long.MIN_VALUE;

    private final Traffic traffic;
    private final int number;
    private final PublishTemplate template;
    // By packet identifier - 1: the intended send time of its message. Empty at QoS 0.
    private final long[] intendedNanos;
    private int identifiers;
    private long due;
    private @Nullable Connection connection;

    Publisher(Traffic traffic, int number, PublishTemplate template) {
        this.traffic = traffic;
        this.number = number;
        this.template = template;
        intendedNanos = new long[traffic.plan().qos() == 0 ? 0 : traffic.plan().unacknowledged()];
        Arrays.fill(intendedNanos, FREE);
    }

    void connected(Connection ready) {
        connection = ready;
        identifiers = Math.min(intendedNanos.length, ready.receiveMaximum());
    }

    int number() {
        return number;
    }

    /** Makes one more message due. */
    void addDue() {
        due++;
    }

    /** Sends due messages, or as many as the window allows, while the socket is writable and the broker's Receive Maximum permits. */
    void send() {
        Connection to = connection;
        if (to == null || !to.isWritable()) {
            return;
        }
        long now = System.nanoTime();
        boolean paced = traffic.plan().isPaced();
        while (paced ? due > 0 : traffic.windowIsOpen(number)) {
            long sequence = traffic.nextSequence(number);
            long intended = traffic.intendedNanos(number, sequence, now);
            int packetId = 0;
            if (identifiers > 0) {
                int slot = (int) (sequence % identifiers);
                if (intendedNanos[slot] != FREE) {
                    break; // The acknowledgement wakes this publisher.
                }
                intendedNanos[slot] = intended;
                packetId = slot + 1;
            }
            template.write(to.room(template.bytes()), packetId, traffic.run(), number, sequence, intended);
            traffic.sent(number, sequence);
            due--;
        }
        to.flush();
    }

    @Override
    public void delivered(ByteBuffer in, int payloadAt, int payloadLength, long nowNanos) {
        throw new BrokerFaultException("a message to a client without subscriptions");
    }

    @Override
    public void acknowledged(int packetId, int reasonCode, long nowNanos) {
        traffic.acknowledged(nowNanos - intendedNanos[slot(packetId)], reasonCode);
    }

    @Override
    public void completed(int packetId) {
        intendedNanos[slot(packetId)] = FREE;
        traffic.wake(number);
    }

    @Override
    public void writable() {
        traffic.wake(number);
    }

    @Override
    public void broken(String reason) {
        traffic.broken(reason);
    }

    private int slot(int packetId) {
        if (packetId < 1 || packetId > identifiers || intendedNanos[packetId - 1] == FREE) {
            throw new BrokerFaultException(
                    "an acknowledgement of packet identifier " + packetId + ", which is not in use");
        }
        return packetId - 1;
    }
}
