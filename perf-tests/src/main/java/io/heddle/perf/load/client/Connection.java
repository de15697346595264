package io.heddle.perf.load.client;

import io.heddle.perf.load.wire.BrokerFaultException;
import io.heddle.perf.load.wire.ConnAck;
import io.heddle.perf.load.wire.PacketHandler;
import io.heddle.perf.load.wire.PacketReader;
import io.heddle.perf.load.wire.PacketType;
import io.heddle.perf.load.wire.PacketWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a client. Owner: the loop's thread. States: opening (TCP), connecting (CONNECT sent), subscribing, ready, ending
 * (DISCONNECT sent), ended or broken. Bounds: {@link PartialPacket} to read, {@link SendBuffer} to write.
 */
public final class Connection {
    /** The state of a connection. */
    public enum State {
        OPENING,
        CONNECTING,
        SUBSCRIBING,
        READY,
        ENDING,
        ENDED,
        BROKEN
    }

    private static final int SUBSCRIBE_PACKET_ID = 1;
    private static final int FIRST_ERROR_CODE = 0x80;

    private final NetworkLoop loop;
    private final ClientPlan plan;
    private final Role role;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final PacketHandler packets = new Packets();
    private final SendBuffer sendBuffer = new SendBuffer();
    private State state = State.OPENING;
    private final PartialPacket partialPacket = new PartialPacket();
    private final long openedNanos = System.nanoTime();
    private long readNanos;
    private long readyNanos;
    private long pingDueNanos;
    private long pingIntervalNanos;
    private boolean pinged;
    // QoS 2 messages for which PUBREC was sent and no PUBREL has been received.
    private int unreleased;
    private int receiveMaximum;
    private @Nullable String fault;

    private Connection(NetworkLoop loop, ClientPlan plan, Role role, SocketChannel channel) throws IOException {
        this.loop = loop;
        this.plan = plan;
        this.role = role;
        this.channel = channel;
        key = channel.register(loop.selector(), SelectionKey.OP_CONNECT, this);
    }

    /** Starts to connect. An immediate failure breaks the connection. */
    public static Connection open(NetworkLoop loop, ClientPlan plan, Role role) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        Connection connection = new Connection(loop, plan, role, channel);
        try {
            if (plan.source() != null) {
                channel.bind(new InetSocketAddress(plan.source(), 0));
            }
            if (channel.connect(plan.broker())) {
                connection.opened();
            }
        } catch (IOException e) {
            connection.breakUp(plan.explain(e));
        }
        return connection;
    }

    public State state() {
        return state;
    }

    public boolean isReady() {
        return state == State.READY;
    }

    /** The reason why the connection broke; null if it has not. */
    public @Nullable String fault() {
        return fault;
    }

    /** The time from the first SYN to CONNACK, or to SUBACK if the client subscribes. */
    public long handshakeNanos() {
        return readyNanos - openedNanos;
    }

    /** The broker's Receive Maximum. */
    public int receiveMaximum() {
        return receiveMaximum;
    }

    /** The number of received QoS 2 messages whose exchange is not complete. */
    public int unreleased() {
        return unreleased;
    }

    /** Whether the connection is ready and the socket has accepted all data so far. */
    public boolean isWritable() {
        return state == State.READY && sendBuffer.isEmpty();
    }

    /** A buffer with at least this much space, which {@link #flush} sends. */
    public ByteBuffer room(int bytes) {
        ByteBuffer out = loop.out();
        if (out.remaining() < bytes) {
            flush();
        }
        return out;
    }

    /** Sends the contents of {@link #room}. */
    public void flush() {
        ByteBuffer out = loop.out();
        if (out.position() == 0) {
            return;
        }
        out.flip();
        try {
            send(out);
        } finally {
            out.clear();
        }
    }

    /** Sends complete packets of any size; buffers the bytes that the socket does not accept. */
    public void send(ByteBuffer packets) {
        if (state == State.BROKEN || state == State.ENDED) {
            return;
        }
        try {
            if (sendBuffer.isEmpty()) {
                channel.write(packets);
                loop.countWrite();
            }
            if (packets.hasRemaining()) {
                sendBuffer.add(packets);
                key.interestOpsOr(SelectionKey.OP_WRITE);
            }
        } catch (IOException e) {
            breakUp(plan.explain(e));
        } catch (BrokerFaultException e) {
            breakUp(e.reason());
        }
    }

    /** Stops reading, so that data from the broker stays in the buffers of both sockets. */
    public void stopReading() {
        if (key.isValid()) {
            key.interestOpsAnd(~SelectionKey.OP_READ);
        }
    }

    /** Sends DISCONNECT, after which the broker must close the connection. */
    public void disconnect() {
        if (state == State.READY) {
            state = State.ENDING;
            PacketWriter.disconnect(room(PacketWriter.SHORT_PACKET_BYTES));
            flush();
        }
    }

    /** Closes the socket if it is open. This is not a fault. */
    public void close() {
        if (state != State.BROKEN && state != State.ENDED) {
            state = State.ENDED;
            closeSocket();
        }
    }

    long pingDueNanos() {
        return pingDueNanos;
    }

    /** Sends PINGREQ. Returns false and breaks the connection if the previous one was not answered. */
    boolean ping(long nowNanos) {
        if (pinged) {
            breakUp("no PINGRESP within " + pingIntervalNanos / 1_000_000_000 + " s");
            return false;
        }
        pinged = true;
        pingDueNanos = nowNanos + pingIntervalNanos;
        PacketWriter.pingReq(room(PacketWriter.SHORT_PACKET_BYTES));
        flush();
        return state == State.READY;
    }

    void ready(int operations) {
        try {
            if ((operations & SelectionKey.OP_READ) != 0) {
                read();
            }
            if ((operations & SelectionKey.OP_WRITE) != 0 && key.isValid()) {
                sendBuffer.write(channel);
                loop.countWrite();
                if (sendBuffer.isEmpty()) {
                    key.interestOpsAnd(~SelectionKey.OP_WRITE);
                    role.writable();
                }
            }
            if ((operations & SelectionKey.OP_CONNECT) != 0 && channel.finishConnect()) {
                opened();
            }
        } catch (IOException e) {
            breakUp(plan.explain(e));
        } catch (BrokerFaultException e) {
            breakUp(e.reason());
        }
    }

    private void opened() {
        state = State.CONNECTING;
        key.interestOps(SelectionKey.OP_READ);
        PacketWriter.connect(room(NetworkLoop.BUFFER_BYTES), plan.connect());
        flush();
    }

    private void read() throws IOException {
        ByteBuffer in = loop.in();
        in.clear();
        partialPacket.moveTo(in);
        int count = channel.read(in);
        loop.countRead();
        readNanos = System.nanoTime();
        if (count < 0) {
            ended();
            return;
        }
        in.flip();
        try {
            PacketReader.read(in, plan.connect().version(), packets);
        } finally {
            flush();
        }
        if (in.hasRemaining()) {
            partialPacket.keep(in);
        }
    }

    private void becomeReady() {
        state = State.READY;
        readyNanos = readNanos;
        if (pingIntervalNanos > 0) {
            pingDueNanos = readNanos + pingIntervalNanos;
            loop.keepAlive().add(this);
        }
        role.ready();
    }

    private void ended() {
        if (state == State.ENDING) {
            state = State.ENDED;
            closeSocket();
        } else {
            breakUp("the broker closed it");
        }
    }

    private void breakUp(String reason) {
        if (state == State.BROKEN || state == State.ENDED) {
            return;
        }
        boolean isExpected = state == State.ENDING;
        state = isExpected ? State.ENDED : State.BROKEN;
        closeSocket();
        if (!isExpected) {
            fault = reason;
            role.broken(reason);
        }
    }

    private void closeSocket() {
        try {
            channel.close();
        } catch (IOException e) {
            fault = "the socket cannot be closed: " + e.getMessage();
        }
    }

    /** Handles received packets. */
    private final class Packets implements PacketHandler {
        @Override
        public void publish(ByteBuffer in, int qos, int packetId, int payloadAt, int payloadLength) {
            role.delivered(in, payloadAt, payloadLength, readNanos);
            if (qos > 0 && !role.acknowledges()) {
                return;
            }
            if (qos == 1) {
                answer(PacketType.PUBACK, packetId);
            } else if (qos == 2) {
                unreleased++;
                answer(PacketType.PUBREC, packetId);
            }
        }

        @Override
        public void acknowledgement(int type, int packetId, int reasonCode) {
            switch (type) {
                case PacketType.PUBACK -> {
                    role.acknowledged(packetId, reasonCode, readNanos);
                    role.completed(packetId);
                }
                case PacketType.PUBREC -> {
                    role.acknowledged(packetId, reasonCode, readNanos);
                    if (reasonCode < FIRST_ERROR_CODE) {
                        answer(PacketType.PUBREL, packetId);
                    } else {
                        role.completed(packetId);
                    }
                }
                case PacketType.PUBREL -> {
                    unreleased--;
                    answer(PacketType.PUBCOMP, packetId);
                }
                default -> role.completed(packetId);
            }
        }

        private void answer(int type, int packetId) {
            // No packet may follow DISCONNECT [MQTT-3.14.4-2].
            if (state != State.ENDING) {
                PacketWriter.acknowledgement(room(PacketWriter.SHORT_PACKET_BYTES), type, packetId);
            }
        }

        @Override
        public void connAck(ConnAck packet) {
            if (state != State.CONNECTING) {
                throw new BrokerFaultException("a second CONNACK");
            }
            if (packet.code() != 0) {
                role.refused(packet.code());
            }
            plan.check(packet);
            receiveMaximum = packet.receiveMaximum();
            pingIntervalNanos = plan.pingIntervalNanos(packet);
            Subscribe subscribe = plan.subscribe();
            if (subscribe == null) {
                becomeReady();
            } else {
                state = State.SUBSCRIBING;
                PacketWriter.subscribe(
                        room(NetworkLoop.BUFFER_BYTES),
                        plan.connect().version(),
                        SUBSCRIBE_PACKET_ID,
                        subscribe.filter(),
                        subscribe.qos());
            }
        }

        @Override
        public void subAck(int packetId, List<Integer> codes) {
            Subscribe subscribe = plan.subscribe();
            if (state == State.SUBSCRIBING && subscribe != null) {
                subscribe.check(codes.getFirst());
                becomeReady();
            } else {
                role.subscribed(codes);
            }
        }

        @Override
        public void unsubAck(int packetId) {
            role.unsubscribed();
        }

        @Override
        public void pingResp() {
            pinged = false;
        }

        @Override
        public void disconnect(int reasonCode) {
            throw new BrokerFaultException("DISCONNECT with reason code " + ClientPlan.hex(reasonCode));
        }
    }
}
