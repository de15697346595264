package io.heddle.core.sys;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Computes the values of the broker's topics and sends the changed ones to their subscribers. The plain names have the meaning and the form
 * that they have in Mosquitto, for this node. Below {@code nodes} and {@code cluster} are the figures of all members. Belongs to the thread
 * that calls {@link #run} at an interval; all work is done there, except the delivery.
 */
public final class SysStatus {
    private static final String BROKER = SysTopics.ROOT + "/broker/";
    private static final String LOAD = BROKER + "load/";

    private final SysTopics topics;
    private final SysDelivery delivery;
    private final BrokerMeters meters;
    private final String version;
    private final String nodeId;
    private final Supplier<Map<String, NodeFigures>> others;
    private final List<Load> loads;
    private long mostClients;
    private long mostHeapBytes;

    private record Load(LongSupplier total, LoadAverage average) {}

    /**
     * Values are computed from the first {@link #run} on.
     *
     * @param version of the broker
     * @param nodeId of this node
     * @param others returns the latest figures of the other members by their node ids; must not block
     */
    public SysStatus(
            SysTopics topics,
            SysDelivery delivery,
            BrokerMeters meters,
            String version,
            String nodeId,
            Supplier<Map<String, NodeFigures>> others) {
        this.topics = topics;
        this.delivery = delivery;
        this.meters = meters;
        this.version = version;
        this.nodeId = nodeId;
        this.others = others;
        this.loads = List.of(
                load("messages/received", () -> meters.figures().packetsReceived()),
                load("messages/sent", () -> meters.figures().packetsSent()),
                load("publish/received", () -> meters.figures().publishesReceived()),
                load("publish/sent", () -> meters.figures().publishesSent()),
                load("publish/dropped", meters::dropped),
                load("bytes/received", () -> meters.figures().bytesReceived()),
                load("bytes/sent", () -> meters.figures().bytesSent()),
                load("sockets", () -> meters.count("heddle.connections.opened")),
                load("connections", () -> meters.count("heddle.packets.received", "type", "connect")));
    }

    private Load load(String name, LongSupplier total) {
        return new Load(total, new LoadAverage(LOAD + name, total.getAsLong(), meters.nanoTime()));
    }

    /** Updates all values, unless event loops have not sent the last ones yet. */
    public void run() {
        if (!topics.hasReaders() || delivery.isBusy()) {
            return;
        }
        delivery.send(topics.replace(values()));
    }

    private Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        NodeFigures own = meters.figures();
        Map<String, NodeFigures> members = others.get();
        addBroker(values, own, members);
        for (Load load : loads) {
            load.average().update(load.total().getAsLong(), meters.nanoTime());
            load.average().addTo(values);
        }
        addNode(values, nodeId, own);
        long clients = own.connectedClients();
        for (Map.Entry<String, NodeFigures> member : members.entrySet()) {
            addNode(values, member.getKey(), member.getValue());
            clients += member.getValue().connectedClients();
        }
        put(values, "cluster/nodes", members.size() + 1);
        put(values, "cluster/clients/connected", clients);
        return values;
    }

    private void addBroker(Map<String, String> values, NodeFigures own, Map<String, NodeFigures> members) {
        long connected = own.connectedClients();
        mostClients = Math.max(mostClients, connected);
        long elsewhere = 0;
        for (NodeFigures member : members.values()) {
            elsewhere += member.connectedPersistent();
        }
        // All nodes know all persistent sessions.
        long disconnected =
                Math.max(0, meters.gauge("heddle.sessions.persistent.known") - own.connectedPersistent() - elsewhere);
        long stored = meters.gauge("heddle.retained.messages") + meters.gauge("heddle.messages.queued");
        // Sessions and subscriptions are charged to the memory of sessions, too.
        long storedBytes = meters.gauge("heddle.retained.bytes") + meters.gauge("heddle.sessions.memory.bytes");
        long heapBytes = meters.heapBytes();
        mostHeapBytes = Math.max(mostHeapBytes, heapBytes);
        values.put(BROKER + "version", "heddle version " + version);
        values.put(BROKER + "uptime", uptime(own));
        put(values, "clients/total", connected + disconnected);
        put(values, "clients/connected", connected);
        put(values, "clients/active", connected);
        put(values, "clients/disconnected", disconnected);
        put(values, "clients/inactive", disconnected);
        put(values, "clients/maximum", mostClients);
        put(values, "clients/expired", meters.count("heddle.sessions.expired"));
        put(values, "messages/received", own.packetsReceived());
        put(values, "messages/sent", own.packetsSent());
        put(values, "messages/stored", stored);
        put(values, "messages/inflight", meters.gauge("heddle.messages.in.flight"));
        put(values, "store/messages/count", stored);
        put(values, "store/messages/bytes", storedBytes);
        put(values, "publish/messages/received", own.publishesReceived());
        put(values, "publish/messages/sent", own.publishesSent());
        put(values, "publish/messages/dropped", meters.dropped());
        put(values, "publish/bytes/received", meters.count("heddle.publish.bytes.received"));
        put(values, "publish/bytes/sent", meters.count("heddle.publish.bytes.sent"));
        put(values, "subscriptions/count", meters.gauge("heddle.subscriptions"));
        put(values, "retained messages/count", meters.gauge("heddle.retained.messages"));
        put(values, "bytes/received", own.bytesReceived());
        put(values, "bytes/sent", own.bytesSent());
        put(values, "heap/current", heapBytes);
        put(values, "heap/maximum", mostHeapBytes);
    }

    private static void addNode(Map<String, String> values, String nodeId, NodeFigures figures) {
        String node = "nodes/" + nodeId + "/";
        values.put(BROKER + node + "uptime", uptime(figures));
        put(values, node + "clients/connected", figures.connectedClients());
        put(values, node + "messages/received", figures.packetsReceived());
        put(values, node + "messages/sent", figures.packetsSent());
        put(values, node + "publish/messages/received", figures.publishesReceived());
        put(values, node + "publish/messages/sent", figures.publishesSent());
        put(values, node + "bytes/received", figures.bytesReceived());
        put(values, node + "bytes/sent", figures.bytesSent());
    }

    private static String uptime(NodeFigures figures) {
        return figures.uptimeSeconds() + " seconds";
    }

    private static void put(Map<String, String> values, String name, long value) {
        values.put(BROKER + name, Long.toString(value));
    }
}
