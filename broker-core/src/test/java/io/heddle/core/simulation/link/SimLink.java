package io.heddle.core.simulation.link;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.World;
import io.heddle.core.testkit.FakeNodeLinks.Frame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lanes from one process to another one. States: down ⇄ up → ended, from either. Each arrival is an event of the receiver that takes the
 * oldest frame of its lane, so that the frames of a lane stay in order. Arrivals of an earlier connection do nothing: the frames are sent
 * again when the lanes are connected.
 */
final class SimLink {
    private static final long LONGEST_RETRY_MICROS = 80_000;
    /** Between two probes: a tenth of the lease. */
    private static final long PROBE_MICROS = 80_000;
    /** A connection is given up when it was silent for this many probes. */
    private static final int SILENT_PROBES = 3;
    /** Slow peers answer later than after this time. */
    private static final long SLOW_NANOS = 300_000_000;

    private final SimLinks network;
    private final World world;
    private final SimNodeLinks from;
    private final Incarnation to;
    private final List<Lane> lanes = new ArrayList<>();
    private final Account control = new Account();
    private final Account data = new Account();
    private int connection;
    private int silentChecks;
    private long heardNanos;
    private boolean up;
    private boolean ended;

    private static final class Lane {
        // Not handled by the receiver.
        private final ArrayDeque<Frame> frames = new ArrayDeque<>();
        private @Nullable Frame lastHandled;
        private long lastDueNanos;
    }

    /** The bytes that the receiver has not acknowledged. */
    private static final class Account {
        private long unacknowledged;
        private long handled;

        private void acknowledge() {
            unacknowledged -= handled;
            handled = 0;
        }
    }

    SimLink(SimLinks network, SimNodeLinks from, Incarnation to) {
        this.network = network;
        this.world = network.world();
        this.from = from;
        this.to = to;
        for (int lane = 0; lane <= network.bounds().dataLanes(); lane++) {
            lanes.add(new Lane());
        }
    }

    long silentNanos() {
        return from.process().nanoTime(world) - heardNanos;
    }

    boolean isUp() {
        return up;
    }

    void open() {
        heardNanos = from.process().nanoTime(world);
        connectLater();
        watch();
    }

    void end() {
        down();
        ended = true;
    }

    private void down() {
        if (up) {
            up = false;
            from.tellOnLoop(listener -> listener.onDown(to));
        }
    }

    private void connectLater() {
        world.after(from.process(), world.random().nextLong(50, LONGEST_RETRY_MICROS), () -> {
            if (ended || up) {
                return;
            }
            if (!isConnectable()) {
                connectLater();
                return;
            }
            up = true;
            heardNanos = from.process().nanoTime(world);
            from.tellOnLoop(listener -> listener.onUp(to));
            sendAgain();
        });
    }

    private boolean isConnectable() {
        SimNodeLinks receiver = network.find(to);
        return receiver != null
                && !receiver.process().isDead()
                && !receiver.process().isFrozen()
                && receiver.link(from.self()) != null
                && !from.isStuck()
                && !receiver.isStuck()
                && network.carriesFrames(from, receiver)
                && network.carriesAnswers(from, receiver);
    }

    /** A connection ends some time after packets are lost, and at once when the other process is dead. */
    private void watch() {
        world.after(from.process(), world.random().nextLong(PROBE_MICROS / 2, PROBE_MICROS), () -> {
            if (ended) {
                return;
            }
            if (up && isConnectable() && !(world.has(Mistake.SLOW_IS_NAMED) && silentNanos() > SLOW_NANOS)) {
                heardNanos = from.process().nanoTime(world);
            }
            silentChecks = up && !isConnectable() ? silentChecks + 1 : 0;
            SimNodeLinks receiver = network.find(to);
            boolean isDead = receiver == null || receiver.process().isDead();
            if (up && (silentChecks >= SILENT_PROBES || (isDead && silentChecks > 0))) {
                silentChecks = 0;
                down();
                connectLater();
            }
            watch();
        });
    }

    /** The connections break with all that is on its way. */
    void reset() {
        if (up && !ended) {
            connection++;
            down();
            connectLater();
        }
    }

    void loseFrames() {
        connection++;
    }

    /** Packets pass again: those of an open connection that were lost are sent again. */
    void resume() {
        if (up && !ended) {
            sendAgain();
        }
    }

    /** A new connection: the receiver tells which frames it has handled, and gets the others. */
    private void sendAgain() {
        connection++;
        control.acknowledge();
        data.acknowledge();
        for (int lane = 0; lane < lanes.size(); lane++) {
            Lane again = lanes.get(lane);
            if (world.has(Mistake.FRAMES_LOST_WITH_CONNECTION)) {
                again.frames.clear();
            }
            Frame handled = again.lastHandled;
            if (handled != null && world.has(Mistake.FRAME_REPEATED)) {
                again.frames.addFirst(handled);
                account(lane).unacknowledged += handled.charge();
            }
            for (int i = again.frames.size(); i > 0; i--) {
                transmit(lane);
            }
        }
    }

    private Account account(int lane) {
        return lane == NodeLinks.CONTROL ? control : data;
    }

    boolean hasRoomFor(int lane, int bytes) {
        long before = account(lane).unacknowledged;
        return before == 0 || before + Frame.charge(bytes) <= network.bounds().maximumUnacknowledgedBytes();
    }

    boolean send(int lane, Frame frame) {
        if (!hasRoomFor(lane, frame.payload().length)) {
            return false;
        }
        account(lane).unacknowledged += frame.charge();
        lanes.get(lane).frames.add(frame);
        if (up) {
            transmit(lane);
        }
        return true;
    }

    private void transmit(int lane) {
        SimNodeLinks receiver = network.find(to);
        if (receiver == null) {
            return;
        }
        Lane of = lanes.get(lane);
        int by = connection;
        of.lastDueNanos = Math.max(of.lastDueNanos + 1, world.nanoTime() + world.delay() * 1_000);
        world.at(receiver.process(), of.lastDueNanos, () -> arrive(receiver, lane, by));
    }

    private void arrive(SimNodeLinks receiver, int lane, int by) {
        // A frame of a dead process may arrive, until the receiver reads of the end.
        if (by != connection || !network.carriesFrames(from, receiver) || receiver.link(from.self()) == null) {
            return;
        }
        if (receiver.loop(lane).isStuck()) {
            receiver.loop(lane).run(() -> arrive(receiver, lane, by));
            return;
        }
        Lane of = lanes.get(lane);
        Frame frame = of.frames.poll();
        if (frame == null) {
            return;
        }
        of.lastHandled = frame;
        Account account = account(lane);
        account.handled += frame.charge();
        world.after(from.process(), world.delay(), () -> {
            if (by == connection && network.carriesAnswers(from, receiver)) {
                account.acknowledge();
            }
        });
        receiver.take(from.self(), lane, frame);
    }
}
