package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.LinkListener;
import io.heddle.core.link.NodeLinks;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link NodeLinks}, between two members A and B. At most 100,000 bytes may be unacknowledged. */
public abstract class NodeLinksContract {
    /** The bound of unacknowledged bytes. */
    protected static final long MAXIMUM_UNACKNOWLEDGED_BYTES = 100_000;
    /** The largest payload. */
    protected static final int MAXIMUM_PAYLOAD_BYTES = 10_000;

    private static final int KIND = 7;
    private static final int FIRST_DATA_LANE = 1;

    private final Map<Integer, List<Integer>> received = new ConcurrentHashMap<>();
    private final List<String> states = new CopyOnWriteArrayList<>();

    protected abstract NodeLinks a();

    protected abstract Incarnation idOfA();

    protected abstract NodeLinks b();

    protected abstract Incarnation idOfB();

    /** Lets both nodes read that both have joined. Called once, after receivers and listeners are set. */
    protected abstract void join() throws Exception;

    /** Breaks the connections between the nodes and prevents new ones. */
    protected abstract void cut() throws Exception;

    protected abstract void heal() throws Exception;

    /** Lets A read that B has ended. B does not know. */
    protected abstract void endB() throws Exception;

    /** Lets the links work until a condition holds. */
    protected abstract void await(BooleanSupplier condition) throws Exception;

    private void start() throws Exception {
        a().watch(new LinkListener() {
            @Override
            public void onUp(Incarnation member) {
                states.add("up " + member);
            }

            @Override
            public void onDown(Incarnation member) {
                states.add("down " + member);
            }

            @Override
            public void onEnded(Incarnation incarnation) {
                states.add("ended " + incarnation);
            }
        });
        b().receive(KIND, KIND, (from, lane, _, payload) -> {
            assertThat(from).isEqualTo(idOfA());
            of(lane).add(ByteBuffer.wrap(payload).getInt());
        });
        join();
        await(() -> a().isUp(idOfB()) && b().isUp(idOfA()));
    }

    private List<Integer> of(int lane) {
        return received.computeIfAbsent(lane, _ -> new CopyOnWriteArrayList<>());
    }

    private static byte[] payload(int number, int bytes) {
        return ByteBuffer.allocate(bytes).putInt(number).array();
    }

    private boolean send(int lane, int number) {
        return a().send(idOfB(), lane, KIND, payload(number, 20));
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @Test
    void framesOfEachLaneArriveOnceAndInOrder() throws Exception {
        start();
        for (int i = 0; i < 1_000; i++) {
            assertThat(send(NodeLinks.CONTROL, i)).isTrue();
        }
        for (int lane = FIRST_DATA_LANE; lane <= a().dataLanes(); lane++) {
            assertThat(send(lane, lane)).isTrue();
        }
        await(() -> of(NodeLinks.CONTROL).size() == 1_000);

        assertThat(of(NodeLinks.CONTROL)).isEqualTo(numbers(1_000));
        for (int lane = FIRST_DATA_LANE; lane <= a().dataLanes(); lane++) {
            int number = lane;
            await(() -> of(number).equals(List.of(number)));
        }
    }

    @Test
    void theLaneOfALoopIsADataLane() {
        for (int loop = 0; loop < 10; loop++) {
            assertThat(a().dataLane(loop)).isBetween(1, a().dataLanes());
        }
    }

    @Test
    void aMemberThatDoesNotAnswerIsSilentUntilTheConnectionsAreBack() throws Exception {
        long limit = Duration.ofSeconds(2).toNanos();
        assertThat(a().silentNanos(idOfB())).isZero();
        start();
        assertThat(a().silentNanos(idOfB())).isLessThan(limit);
        cut();
        await(() -> a().silentNanos(idOfB()) > limit);
        heal();

        await(() -> a().silentNanos(idOfB()) < limit);
        endB();
        await(() -> a().silentNanos(idOfB()) == 0);
    }

    @Test
    void framesGoInBothDirections() throws Exception {
        List<Integer> atA = new CopyOnWriteArrayList<>();
        a().receive(0, NodeLinks.LAST_KIND, (from, lane, kind, payload) -> {
            if (from.equals(idOfB()) && lane == NodeLinks.CONTROL && payload.length == 0) {
                atA.add(kind);
            }
        });
        start();
        assertThat(b().send(idOfA(), NodeLinks.CONTROL, 0, new byte[0])).isTrue();
        assertThat(b().send(idOfA(), NodeLinks.CONTROL, NodeLinks.LAST_KIND, new byte[0]))
                .isTrue();

        await(() -> atA.equals(List.of(0, NodeLinks.LAST_KIND)));
    }

    @Test
    void aFrameWithoutReceiverAndOneWhoseReceiverFailsAreNotRepeated() throws Exception {
        List<Integer> failed = new CopyOnWriteArrayList<>();
        b().receive(KIND + 1, KIND + 1, (_, _, kind, _) -> {
            failed.add(kind);
            throw new IllegalStateException("the receiver fails");
        });
        start();
        assertThat(a().send(idOfB(), NodeLinks.CONTROL, KIND + 1, new byte[1])).isTrue();
        assertThat(a().send(idOfB(), NodeLinks.CONTROL, KIND + 2, new byte[1])).isTrue();
        assertThat(send(NodeLinks.CONTROL, 0)).isTrue();

        await(() -> of(NodeLinks.CONTROL).size() == 1);
        assertThat(failed).containsExactly(KIND + 1);
    }

    @Test
    void aKindHasOneReceiver() {
        a().receive(10, 19, (_, _, _, _) -> {});

        assertThatThrownBy(() -> a().receive(19, 25, (_, _, _, _) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("19");
    }

    @Test
    void framesSurviveTheLossOfTheConnections() throws Exception {
        start();
        int sent = 0;
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 50; i++) {
                assertThat(send(FIRST_DATA_LANE, sent++)).isTrue();
            }
            cut();
            await(() -> !a().isUp(idOfB()));
            for (int i = 0; i < 50; i++) {
                assertThat(send(FIRST_DATA_LANE, sent++)).isTrue();
            }
            heal();
            await(() -> a().isUp(idOfB()));
        }
        int all = sent;
        await(() -> of(FIRST_DATA_LANE).size() >= all);

        assertThat(of(FIRST_DATA_LANE)).isEqualTo(numbers(all));
        assertThat(states).startsWith("up " + idOfB(), "down " + idOfB(), "up " + idOfB());
    }

    @Test
    void aFullLaneRefusesFramesUntilTheyAreAcknowledged() throws Exception {
        start();
        cut();
        await(() -> !a().isUp(idOfB()));
        int accepted = 0;
        while (send(FIRST_DATA_LANE, accepted)) {
            accepted++;
        }
        assertThat(accepted).isPositive().isLessThanOrEqualTo((int) (MAXIMUM_UNACKNOWLEDGED_BYTES / 20));
        assertThat(a().hasRoomFor(idOfB(), FIRST_DATA_LANE, 20)).isFalse();
        assertThat(send(a().dataLanes(), 0)).as("one bound for all data").isFalse();
        assertThat(send(NodeLinks.CONTROL, 0)).as("another one for control").isTrue();

        heal();
        int all = accepted;
        await(() -> of(FIRST_DATA_LANE).size() == all && of(NodeLinks.CONTROL).size() == 1);
        assertThat(of(FIRST_DATA_LANE)).isEqualTo(numbers(all));
        await(() -> a().hasRoomFor(idOfB(), FIRST_DATA_LANE, MAXIMUM_PAYLOAD_BYTES));
    }

    @Test
    void payloadsHaveAMaximum() throws Exception {
        start();
        assertThat(a().maximumPayloadBytes()).isEqualTo(MAXIMUM_PAYLOAD_BYTES);
        assertThatThrownBy(() -> a().send(idOfB(), NodeLinks.CONTROL, KIND, new byte[MAXIMUM_PAYLOAD_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(a().send(idOfB(), NodeLinks.CONTROL, KIND, payload(1, MAXIMUM_PAYLOAD_BYTES)))
                .isTrue();
        await(() -> of(NodeLinks.CONTROL).equals(List.of(1)));
    }

    @Test
    void lanesAndKindsThatDoNotExistAreErrors() throws Exception {
        start();
        assertThatThrownBy(() -> send(a().dataLanes() + 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> send(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> a().send(idOfB(), NodeLinks.CONTROL, NodeLinks.LAST_KIND + 1, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anIncarnationThatEndsIsNeitherSentToNorHeard() throws Exception {
        List<Integer> atA = new CopyOnWriteArrayList<>();
        a().receive(KIND, KIND, (_, _, _, payload) -> atA.add(payload.length));
        start();
        cut();
        await(() -> !a().isUp(idOfB()));
        assertThat(send(NodeLinks.CONTROL, 0)).isTrue();
        endB();
        await(() -> states.contains("ended " + idOfB()));
        heal();

        assertThat(send(NodeLinks.CONTROL, 1)).isFalse();
        assertThat(a().hasRoomFor(idOfB(), NodeLinks.CONTROL, 1)).isFalse();
        assertThat(a().isUp(idOfB())).isFalse();
        assertThat(b().send(idOfA(), NodeLinks.CONTROL, KIND, new byte[1])).isTrue();
        settle();
        assertThat(atA).isEmpty();
        assertThat(of(NodeLinks.CONTROL)).isEmpty();
        assertThat(states).last().isEqualTo("ended " + idOfB());
    }

    /** Lets the links do all that they would do now, if there is anything. */
    protected abstract void settle() throws Exception;

    @Test
    void aLinkThatEndsWhileItIsUpGoesDownFirst() throws Exception {
        start();
        endB();
        await(() -> states.size() == 3);

        assertThat(states).containsExactly("up " + idOfB(), "down " + idOfB(), "ended " + idOfB());
    }

    @Test
    void anUnknownIncarnationIsNotSentTo() {
        Incarnation unknown = new Incarnation(999, 9);

        assertThat(a().send(unknown, NodeLinks.CONTROL, KIND, new byte[1])).isFalse();
        assertThat(a().hasRoomFor(unknown, NodeLinks.CONTROL, 1)).isFalse();
        assertThat(a().isUp(unknown)).isFalse();
    }
}
