package io.heddle.perf.load.traffic;

import io.heddle.perf.load.client.Role;
import io.heddle.perf.load.wire.BrokerFaultException;
import java.nio.ByteBuffer;

/** A subscribing client. Owner: the load's thread. */
final class Subscriber implements Role {
    private final Traffic traffic;
    private final int number;

    Subscriber(Traffic traffic, int number) {
        this.traffic = traffic;
        this.number = number;
    }

    @Override
    public void delivered(ByteBuffer in, int payloadAt, int payloadLength, long nowNanos) {
        traffic.delivered(number, in, payloadAt, payloadLength, nowNanos);
    }

    @Override
    public void acknowledged(int packetId, int reasonCode, long nowNanos) {
        throw new BrokerFaultException("an acknowledgement to a client that does not publish");
    }

    @Override
    public void completed(int packetId) {
        throw new BrokerFaultException("an acknowledgement to a client that does not publish");
    }

    @Override
    public void writable() {}

    @Override
    public void broken(String reason) {
        traffic.broken(reason);
    }
}
