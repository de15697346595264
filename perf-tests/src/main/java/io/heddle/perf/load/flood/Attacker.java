package io.heddle.perf.load.flood;

import io.heddle.perf.load.client.ClientPlan;
import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.client.Role;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One attacking client across its connections. Owner: the attack's thread. States: closed, opening, ready. */
final class Attacker implements Role {
    private final int number;
    private final AttackerPool pool;
    private final AttackerBehaviour behaviour;
    private final AttackCounts counts;
    private @Nullable Connection connection;
    private boolean ready;
    private boolean refused;
    private int unacknowledged;

    Attacker(int number, AttackerPool pool, AttackerBehaviour behaviour, AttackCounts counts) {
        this.number = number;
        this.pool = pool;
        this.behaviour = behaviour;
        this.counts = counts;
    }

    int number() {
        return number;
    }

    void open(NetworkLoop loop, ClientPlan plan) {
        refused = false;
        try {
            connection = Connection.open(loop, plan, this);
        } catch (IOException e) {
            broken("cannot be opened: " + e.getMessage());
        }
    }

    boolean isReady() {
        return ready;
    }

    /** The connection if it is writable, else null. */
    @Nullable
    Connection writableConnection() {
        Connection current = connection;
        return ready && current != null && current.isWritable() ? current : null;
    }

    /** Sends whole packets. */
    void send(ByteBuffer packets, long packetCount) {
        Connection current = connection;
        if (ready && current != null) {
            counts.sent(packetCount, packets.remaining());
            current.send(packets);
        }
    }

    void stopReading() {
        Connection current = connection;
        if (current != null) {
            current.stopReading();
        }
    }

    /** Closes the socket without DISCONNECT. */
    void cut() {
        Connection current = connection;
        if (current != null) {
            current.close();
        }
        ended();
    }

    /** Counts a message that the broker must acknowledge. */
    void expectAcknowledgement() {
        unacknowledged++;
    }

    /** The number of unacknowledged messages of this connection. */
    int unacknowledged() {
        return unacknowledged;
    }

    @Override
    public void ready() {
        ready = true;
        counts.connected();
        pool.onReady();
        behaviour.onReady(this);
    }

    @Override
    public void refused(int code) {
        refused = true;
        counts.connAcks().count(code);
    }

    @Override
    public void broken(String reason) {
        if (!refused) {
            counts.breaks().count(reason);
        }
        ended();
    }

    private void ended() {
        boolean wasReady = ready;
        ready = false;
        unacknowledged = 0;
        pool.onClosed(this, wasReady);
    }

    @Override
    public void delivered(ByteBuffer in, int payloadAt, int payloadLength, long nowNanos) {
        counts.received();
        behaviour.onDelivered(this, in, payloadAt, payloadLength);
    }

    @Override
    public void acknowledged(int packetId, int reasonCode, long nowNanos) {
        counts.pubAcks().count(reasonCode);
        unacknowledged--;
    }

    @Override
    public void completed(int packetId) {}

    @Override
    public void writable() {}

    @Override
    public boolean acknowledges() {
        return behaviour.acknowledges();
    }

    @Override
    public void subscribed(List<Integer> codes) {
        for (int code : codes) {
            counts.subAcks().count(code);
        }
        behaviour.onSubscriptionChanged(this);
    }

    @Override
    public void unsubscribed() {
        behaviour.onSubscriptionChanged(this);
    }
}
