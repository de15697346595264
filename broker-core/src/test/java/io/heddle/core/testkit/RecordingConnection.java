package io.heddle.core.testkit;

import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.packet.MqttPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection that keeps what it is sent. */
public final class RecordingConnection implements Connection {
    private final EventLoop eventLoop;
    private final List<MqttPacket> sent = new ArrayList<>();
    private volatile boolean open = true;
    private boolean writable = true;
    private boolean room;
    private boolean congested;
    private boolean takesOutput;
    private boolean reading = true;
    private boolean takesEverything = true;
    private @Nullable RuntimeException fault;

    /** A connection on a loop, from a loopback address. */
    public RecordingConnection(EventLoop eventLoop) {
        this.eventLoop = eventLoop;
    }

    @Override
    public EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public SocketAddress remoteAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);
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
        return true;
    }

    @Override
    public void pauseReading() {
        reading = false;
    }

    @Override
    public void resumeReading() {
        reading = true;
    }

    /** Whether the client is read. */
    public boolean isReading() {
        return reading;
    }

    @Override
    public boolean isWritable() {
        return writable;
    }

    @Override
    public boolean hasRoom() {
        return writable || room;
    }

    @Override
    public boolean isCongested() {
        return !writable && congested;
    }

    @Override
    public boolean takesOutput() {
        return writable || takesOutput;
    }

    @Override
    public void close() {
        eventLoop.assertCurrent();
        open = false;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    /** The client goes away without a word; no session is told. */
    public void lose() {
        open = false;
    }

    /** From here on the client does or does not read what it is sent. */
    public void writable(boolean writable) {
        this.writable = writable;
    }

    /** From here on it takes QoS 0 messages although the client does not read. */
    public void room(boolean hasRoom) {
        room = hasRoom;
    }

    /** From here on so much is unsent, while the client does not read, that publishers have to be slowed. */
    public void congested(boolean isCongested) {
        congested = isCongested;
    }

    /** From here on the client reads some of its output, but not so much that the connection is writable. */
    public void takesOutput(boolean takes) {
        takesOutput = takes;
    }

    /** From here on every packet is too large for the client. */
    public void refusePackets() {
        takesEverything = false;
    }

    /** From here on a bug of the broker strikes whenever something is sent. */
    public void failOnSend(RuntimeException bug) {
        fault = bug;
    }

    /** What was sent, in order. */
    public List<MqttPacket> sent() {
        return sent;
    }

    /** What was sent of one kind, in order. */
    public <T extends MqttPacket> List<T> sent(Class<T> kind) {
        return sent.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
