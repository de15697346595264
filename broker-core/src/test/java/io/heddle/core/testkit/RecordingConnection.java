package io.heddle.core.testkit;

import io.heddle.core.client.ClientCertificate;
import io.heddle.core.client.ClientNames;
import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fake connection that records sent packets. Asserts its event loop as the real one does. */
public final class RecordingConnection implements Connection {
    private SocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);
    private final EventLoop eventLoop;
    private final ClientNames names = new ClientNames();
    private final List<MqttPacket> sent = new ArrayList<>();
    private volatile boolean open = true;
    private volatile boolean draining;
    private volatile boolean closed;
    private boolean writable = true;
    private boolean room;
    private boolean congested;
    private boolean takesOutput;
    private int unfinishedBytes;
    private boolean reading = true;
    private boolean takesEverything = true;
    private @Nullable RuntimeException fault;
    private Runnable afterSend = () -> {};

    /** Creates a connection from a loopback address. */
    public RecordingConnection(EventLoop eventLoop) {
        this.eventLoop = eventLoop;
    }

    @Override
    public EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public SocketAddress remoteAddress() {
        return address;
    }

    /** From now on the client seems to be elsewhere. */
    public void address(SocketAddress other) {
        address = other;
    }

    @Override
    public @Nullable ClientCertificate certificate() {
        return null;
    }

    @Override
    public ClientNames names() {
        return names;
    }

    @Override
    public String listener() {
        return "mqtt";
    }

    @Override
    public boolean send(MqttPacket packet) {
        eventLoop.assertCurrent();
        if (fault != null) {
            throw fault;
        }
        if (!open || !takesEverything) {
            return false;
        }
        sent.add(packet);
        afterSend.run();
        return true;
    }

    @Override
    public void pauseReading() {
        eventLoop.assertCurrent();
        reading = false;
    }

    @Override
    public void resumeReading() {
        eventLoop.assertCurrent();
        reading = true;
    }

    /** Returns whether the client is read. */
    public boolean isReading() {
        return reading;
    }

    @Override
    public boolean isWritable() {
        eventLoop.assertCurrent();
        return writable;
    }

    @Override
    public boolean hasRoomFor(BinaryData payload) {
        eventLoop.assertCurrent();
        return writable || room;
    }

    @Override
    public boolean isCongested() {
        eventLoop.assertCurrent();
        return !writable && congested;
    }

    @Override
    public boolean takesOutput() {
        eventLoop.assertCurrent();
        return writable || takesOutput;
    }

    @Override
    public int unfinishedBytes() {
        eventLoop.assertCurrent();
        return unfinishedBytes;
    }

    /** So many bytes of a packet have arrived. */
    public void unfinishedBytes(int bytes) {
        unfinishedBytes = bytes;
    }

    @Override
    public void reject(ProtocolException violation) {
        eventLoop.assertCurrent();
        if (send(DisconnectPacket.of(violation.reason(), violation.detail()))) {
            close();
        }
    }

    @Override
    public void close() {
        eventLoop.assertCurrent();
        open = false;
        draining = false;
        closed = true;
    }

    /** Returns whether the broker has closed its side. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isDraining() {
        return draining;
    }

    /** Loses the client; no session is notified. */
    public void lose() {
        open = false;
    }

    /** Loses the client, whose packets before are still to be processed. */
    public void loseWithPackets() {
        open = false;
        draining = true;
    }

    /** Sets whether the client reads its output. */
    public void writable(boolean writable) {
        this.writable = writable;
    }

    /** Sets whether it accepts QoS 0 messages although the client does not read. */
    public void room(boolean hasRoom) {
        room = hasRoom;
    }

    /** Sets whether publishers must be throttled while the client does not read. */
    public void congested(boolean isCongested) {
        congested = isCongested;
    }

    /** Sets whether the client reads some of its output, but not enough to make the connection writable. */
    public void takesOutput(boolean takes) {
        takesOutput = takes;
    }

    /** Makes every packet too large for the client. */
    public void refusePackets() {
        takesEverything = false;
    }

    /** Makes every send throw, as a bug of the broker would. */
    public void failOnSend(RuntimeException bug) {
        fault = bug;
    }

    /** Runs a task within each send, as a large packet makes a real connection unwritable and writable again. */
    public void afterSend(Runnable task) {
        afterSend = task;
    }

    /** Returns the sent packets, in order. */
    public List<MqttPacket> sent() {
        return sent;
    }

    /** Returns the sent packets of one type, in order. */
    public <T extends MqttPacket> List<T> sent(Class<T> kind) {
        return sent.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
