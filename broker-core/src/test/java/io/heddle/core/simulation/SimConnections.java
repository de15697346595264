package io.heddle.core.simulation;

import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.session.ConnectService;
import io.heddle.core.simulation.client.SimConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The connections of one process, and a trap for the next answer of some type. */
final class SimConnections {
    private static final List<Class<? extends MqttPacket>> ANSWERS = List.of(
            ConnAckPacket.class, PubAckPacket.class, PubRecPacket.class, PubCompPacket.class, SubAckPacket.class);

    private final World world;
    private final SimProcess process;
    private final List<SimLoop> loops;
    private final List<SimConnection> connections = new ArrayList<>();
    private @Nullable Class<? extends MqttPacket> trapped;
    private @Nullable Consumer<SimConnection> trap;

    SimConnections(World world, SimProcess process, List<SimLoop> loops) {
        this.world = world;
        this.process = process;
        this.loops = loops;
    }

    /** Returns a type of packets with which a process promises something. */
    static Class<? extends MqttPacket> anyAnswer(World world) {
        return ANSWERS.get(world.random().nextInt(ANSWERS.size()));
    }

    void accept(SimConnection connection, ConnectService service) {
        connections.add(connection);
        connection.accepted(
                process,
                loops.get(world.random().nextInt(loops.size())),
                service,
                packet -> onSent(connection, packet));
    }

    List<SimConnection> all() {
        return connections;
    }

    /** Runs a task when the process sends the next packet of this type: at that moment it has promised something. */
    void whenSent(Class<? extends MqttPacket> type, Consumer<SimConnection> task) {
        trapped = type;
        trap = task;
    }

    /** Forgets the task of {@link #whenSent}. */
    void disarm() {
        trap = null;
    }

    private void onSent(SimConnection connection, MqttPacket packet) {
        Consumer<SimConnection> task = trap;
        if (task != null && trapped != null && trapped.isInstance(packet)) {
            trap = null;
            task.accept(connection);
        }
    }

    /** A client loses its connection while an answer of some type is on its way. */
    void loseAnswer() {
        Class<? extends MqttPacket> type = anyAnswer(world);
        whenSent(type, connection -> {
            world.trace(() -> "the network loses " + type.getSimpleName());
            connection.breakOff();
        });
    }

    /** Other processes are about to publish the wills of its clients, who may notice later. */
    void onTakenOver() {
        connections.forEach(SimConnection::onTakenOver);
    }

    /** The process is dead; its clients notice. */
    void onProcessKilled() {
        connections.forEach(SimConnection::onProcessKilled);
    }

    /** Some of its clients lose their connections, and it learns that when it runs again. */
    void loseSome() {
        connections.stream().filter(_ -> world.random().nextBoolean()).forEach(SimConnection::breakOff);
    }

    /** Resets all connections, like a lost network: what is on its way arrives, or is lost. */
    void reset() {
        connections.forEach(world.random().nextBoolean() ? SimConnection::reset : SimConnection::breakOff);
        connections.clear();
    }
}
