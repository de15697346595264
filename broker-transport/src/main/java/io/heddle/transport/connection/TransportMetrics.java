package io.heddle.transport.connection;

import io.heddle.core.Limit;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.transport.codec.PacketType;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.internal.PlatformDependent;
import java.net.SocketAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The transport's counters, all registered when the server is created. Thread-safe. Events of every packet are counted per event
 * loop in {@link TurnCounts} and added here once per turn.
 */
public final class TransportMetrics {
    private final ClientIncidents incidents;
    private final Counter opened;
    private final Counter closed;
    private final Counter refused;
    private final Counter tooEarly;
    private final Counter noDescriptor;
    private final Counter connectTimeouts;
    private final Counter resets;
    private final Counter overflows;
    private final Counter faults;
    private final Counter payloadsReceived;
    private final Counter payloadsSent;
    private final Counter bytesReceived;
    private final Counter bytesSent;
    private final Counter writes;
    private final Counter unsentTooLarge;
    private final Counter unsentSlowConsumer;
    private final Counter unsentNoMemory;
    private final Map<PacketType, Counter> packetsReceived = new EnumMap<>(PacketType.class);
    private final Map<PacketType, Counter> packetsSent = new EnumMap<>(PacketType.class);
    private final Map<ReasonCode, Counter> protocolErrors = new EnumMap<>(ReasonCode.class);
    private final Map<NettyEventLoop, TurnCounts> byLoop = new ConcurrentHashMap<>();

    public TransportMetrics(MeterRegistry registry) {
        this(new ClientIncidents(System::nanoTime, registry), registry);
    }

    /** Registers the counters, so that they can be read before the first event. */
    public TransportMetrics(ClientIncidents incidents, MeterRegistry registry) {
        this.incidents = incidents;
        opened = registry.counter("heddle.connections.opened");
        closed = registry.counter("heddle.connections.closed");
        refused = registry.counter("heddle.connections.refused", "reason", "maximum_connections");
        tooEarly = registry.counter("heddle.connections.refused", "reason", "starting");
        noDescriptor = registry.counter("heddle.connections.refused", "reason", "no_descriptor");
        connectTimeouts = registry.counter("heddle.connect.timeouts");
        resets = registry.counter("heddle.connections.reset");
        overflows = registry.counter("heddle.connections.overflowed");
        faults = registry.counter("heddle.transport.faults");
        payloadsReceived = registry.counter("heddle.publish.bytes.received");
        payloadsSent = registry.counter("heddle.publish.bytes.sent");
        bytesReceived = registry.counter("heddle.bytes.received");
        writes = registry.counter("heddle.writes");
        bytesSent = registry.counter("heddle.bytes.sent");
        unsentTooLarge = registry.counter("heddle.packets.unsent", "reason", "packet_too_large");
        unsentSlowConsumer = registry.counter("heddle.packets.unsent", "reason", "slow_consumer");
        unsentNoMemory = registry.counter("heddle.packets.unsent", "reason", "direct_memory_exhausted");
        for (PacketType type : PacketType.values()) {
            packetsReceived.put(type, registry.counter("heddle.packets.received", "type", type.tag()));
            packetsSent.put(type, registry.counter("heddle.packets.sent", "type", type.tag()));
        }
        for (ReasonCode reason : ReasonCode.values()) {
            if (reason.isError()) {
                protocolErrors.put(reason, registry.counter("heddle.protocol.errors", "reason", reason.tag()));
            }
        }
    }

    /** Returns the counts of one event loop. */
    public TurnCounts of(NettyEventLoop eventLoop) {
        return byLoop.computeIfAbsent(eventLoop, loop -> new TurnCounts(loop, this));
    }

    void connectionOpened() {
        opened.increment();
    }

    void connectionClosed() {
        closed.increment();
    }

    void connectionRefused() {
        refused.increment();
    }

    /** Counts a connection refused before the start was complete. */
    void connectionTooEarly() {
        tooEarly.increment();
    }

    /** Counts a connection that could not be accepted because the process has no file descriptor left. */
    public void descriptorMissing() {
        noDescriptor.increment();
    }

    /** Logs why connections are refused or closed. */
    public ClientIncidents incidents() {
        return incidents;
    }

    /** Counts a client that did not send CONNECT in time. */
    public void connectTimedOut() {
        connectTimeouts.increment();
    }

    /** Counts a connection that failed with an I/O error. */
    public void connectionReset() {
        resets.increment();
    }

    /** Counts a client that was disconnected at the outbound limit because it did not read. */
    void connectionOverflowed(long outboundLimit, SocketAddress address) {
        overflows.increment();
        incidents.refused(
                new Limit("heddle.mqtt.outbound-limit", outboundLimit),
                "further output, so the connection is closed",
                "",
                null,
                address);
    }

    /** Counts a connection closed by an unexpected exception. */
    public void faultFound() {
        faults.increment();
    }

    /** Counts a protocol violation of a client; the reason is an error. */
    public void protocolError(ReasonCode reason) {
        add(1, protocolErrors.get(reason));
    }

    void packets(PacketType type, long received, long sent) {
        add(received, packetsReceived.get(type));
        add(sent, packetsSent.get(type));
    }

    /** Adds bytes of the payloads of PUBLISH packets. */
    void payloads(long received, long sent) {
        add(received, payloadsReceived);
        add(sent, payloadsSent);
    }

    /** Adds bytes of MQTT packets and the number of writes. */
    void bytes(long received, long sent, long writesToSockets) {
        add(received, bytesReceived);
        add(sent, bytesSent);
        add(writesToSockets, writes);
    }

    private static void add(long amount, @Nullable Counter counter) {
        if (counter == null) {
            throw new IllegalArgumentException("no counter is registered for this packet type or reason code");
        }
        if (amount > 0) {
            counter.increment((double) amount);
        }
    }

    void unsentTooLarge() {
        unsentTooLarge.increment();
    }

    void unsentSlowConsumer() {
        unsentSlowConsumer.increment();
    }

    /** Counts a packet for which the process has no direct memory. */
    void directMemoryExhausted(SocketAddress address) {
        unsentNoMemory.increment();
        incidents.refused(
                new Limit("-XX:MaxDirectMemorySize", PlatformDependent.maxDirectMemory()),
                "output to a client",
                "",
                null,
                address);
    }
}
