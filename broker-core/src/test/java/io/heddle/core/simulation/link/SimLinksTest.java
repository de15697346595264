package io.heddle.core.simulation.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.SimLoop;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import io.heddle.core.testkit.NodeLinksContract;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SimLinksTest extends NodeLinksContract {
    private static final Incarnation A = new Incarnation(3, 7);
    private static final Incarnation B = new Incarnation(5, 9);
    private static final long PATIENCE_MICROS = 60_000_000;

    private final World world = new World(1, false, EnumSet.noneOf(Mistake.class));
    private final SimLinks links =
            new SimLinks(world, new SimLinks.Bounds(2, MAXIMUM_PAYLOAD_BYTES, MAXIMUM_UNACKNOWLEDGED_BYTES), _ -> {});
    private final SimProcess processA = new SimProcess("a");
    private final SimProcess processB = new SimProcess("b");
    private final SimNodeLinks a = open(processA, A);
    private final SimNodeLinks b = open(processB, B);

    private SimNodeLinks open(SimProcess process, Incarnation incarnation) {
        SimNodeLinks opened = links.open(process, process.toString(), List.of(new SimLoop(world, process, 0)));
        opened.joined(incarnation);
        return opened;
    }

    @Override
    protected NodeLinks a() {
        return a;
    }

    @Override
    protected Incarnation idOfA() {
        return A;
    }

    @Override
    protected NodeLinks b() {
        return b;
    }

    @Override
    protected Incarnation idOfB() {
        return B;
    }

    @Override
    protected void join() {
        a.onMembers(Set.of(B));
        b.onMembers(Set.of(A));
    }

    @Override
    protected void cut() {
        links.cut("a", "b");
        links.cut("b", "a");
    }

    @Override
    protected void heal() {
        links.heal("a", "b");
        links.heal("b", "a");
    }

    @Override
    protected void endB() {
        a.onMembers(Set.of());
    }

    @Override
    protected void await(BooleanSupplier condition) {
        assertThat(world.runUntil(world.environment(), PATIENCE_MICROS, condition))
                .as("after " + PATIENCE_MICROS + " µs")
                .isTrue();
    }

    @Override
    protected void settle() {
        world.run(10_000_000);
    }

    private List<Integer> receivedByB() {
        List<Integer> received = new ArrayList<>();
        b.receive(9, 9, (_, _, _, payload) -> received.add((int) payload[0]));
        join();
        await(() -> a.isUp(B) && b.isUp(A));
        return received;
    }

    private void send(int from, int to) {
        for (int i = from; i < to; i++) {
            assertThat(a.send(B, NodeLinks.CONTROL, 9, new byte[] {(byte) i})).isTrue();
        }
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @Test
    void framesWaitForAFrozenProcess() {
        List<Integer> received = receivedByB();
        send(0, 10);
        processB.freeze(world, false);
        send(10, 20);
        settle();
        assertThat(received).hasSizeLessThan(20);
        assertThat(a.isUp(B)).as("silence is noticed").isFalse();
        send(20, 30);
        processB.thaw(world);
        await(() -> received.size() == 30);

        assertThat(received).isEqualTo(numbers(30));
    }

    @Test
    void aCutInOneDirectionDelaysFramesOnly() {
        List<Integer> received = receivedByB();
        send(0, 10);
        links.cut("a", "b");
        send(10, 20);
        world.run(100_000);
        assertThat(received).hasSizeLessThan(20);
        links.heal("a", "b");
        await(() -> received.size() == 20);
        links.cut("b", "a");
        send(20, 30);
        await(() -> received.size() == 30);
        assertThat(a.hasRoomFor(B, NodeLinks.CONTROL, (int) MAXIMUM_UNACKNOWLEDGED_BYTES - 128))
                .as("the acknowledgements are lost")
                .isFalse();
        links.heal("b", "a");
        settle();

        assertThat(received).isEqualTo(numbers(30));
        assertThat(a.hasRoomFor(B, NodeLinks.CONTROL, (int) MAXIMUM_UNACKNOWLEDGED_BYTES - 128))
                .isTrue();
    }

    @Test
    void framesSurviveBrokenConnections() {
        List<Integer> received = receivedByB();
        for (int i = 0; i < 10; i++) {
            send(10 * i, 10 * i + 10);
            world.run(300);
            links.reset(A, B);
        }
        await(() -> received.size() == 100);
        settle();

        assertThat(received).isEqualTo(numbers(100));
    }
}
