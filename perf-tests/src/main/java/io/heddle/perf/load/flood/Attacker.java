package io.heddle.perf.load.flood;

import io.heddle.perf.load.client.ClientPlan;
import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.client.Role;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One attacking client, through all of its connections. Owner: the attack's thread. States: closed, opening, ready. */
final class Attacker implements Role {
    private final int number;
    private final Crowd crowd;
    private final Conduct conduct;
    private final AttackCounts counts;
    private @Nullable Connection connection;
    private boolean ready;
    private boolean refused;
    private int unacknowledged;

    Attacker(int number, Crowd crowd, Conduct conduct, AttackCounts counts) {
        this.number = number;
        this.crowd = crowd;
        this.conduct = conduct;
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
            broken("it cannot be opened: " + e.getMessage());
        }
    }

    boolean isReady() {
        return ready;
    }

    /** The connection if the socket takes packets now, else null. */
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

    /** One more message is sent that the broker has to acknowledge. */
    void expectAcknowledgement() {
        unacknowledged++;
    }

    /** Messages of this connection that the broker has not acknowledged yet. */
    int unacknowledged() {
        return unacknowledged;
    }

    @Override
    public void ready() {
        ready = true;
        counts.connected();
        crowd.up();
        conduct.ready(this);
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
        crowd.down(this, wasReady);
    }

    @Override
    public void delivered(ByteBuffer in, int payloadAt, int payloadLength, long nowNanos) {
        counts.received();
        conduct.delivered(this, in, payloadAt, payloadLength);
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
        return conduct.acknowledges();
    }

    @Override
    public void subscribed(List<Integer> codes) {
        for (int code : codes) {
            counts.subAcks().count(code);
        }
        conduct.answered(this);
    }

    @Override
    public void unsubscribed() {
        conduct.answered(this);
    }
}
