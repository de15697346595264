package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeLog;
import io.heddle.core.cluster.NodeLog.Appended;
import io.heddle.core.cluster.NodeLog.Bounds;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The contract of {@link NodeLog}. Each test starts with an empty log, which two nodes use. */
public abstract class NodeLogContract {
    private static final Joined JOINED =
            new Joined(new NodeDescription(new NodeId("node-1"), "10.0.0.5", "", 1, 3), 0x8badf00d);

    /** The log as the first node sees it, the same throughout a test. */
    protected abstract NodeLog log();

    /** The same log as a second node sees it. */
    protected abstract NodeLog other();

    /** Records what a follower is told. */
    private static final class Recording implements NodeLog.Follower {
        private final List<Long> offsets = Collections.synchronizedList(new ArrayList<>());
        private final List<NodeRecord> records = Collections.synchronizedList(new ArrayList<>());
        private volatile long beginning = -1;
        private volatile long reached = -1;

        @Override
        public void onBeginning(long offset) {
            assertThat(beginning).isEqualTo(-1);
            beginning = offset;
        }

        @Override
        public void onRecord(long offset, NodeRecord record) {
            assertThat(beginning).isNotEqualTo(-1);
            offsets.add(offset);
            records.add(record);
        }

        @Override
        public void onReached(long next) {
            reached = next;
        }

        @Override
        public void onLost(String reason) {
            throw new AssertionError(reason);
        }
    }

    @Test
    void aFollowerOfAnEmptyLogReachesItsEnd() throws Exception {
        Recording recording = new Recording();
        log().follow(recording);

        await().until(() -> recording.reached == 0);
        assertThat(recording.beginning).isZero();
        assertThat(bounds(log())).isEqualTo(new Bounds(0, 0));
    }

    @Test
    void theOffsetsOfRecordsRise() throws Exception {
        assertThat(append(log(), JOINED).offset()).isZero();
        assertThat(append(other(), JOINED).offset()).isEqualTo(1);
        assertThat(bounds(log())).isEqualTo(new Bounds(0, 2));
    }

    @Test
    void aRecordIsStampedWithTheTimeOfTheLog() throws Exception {
        long before = System.currentTimeMillis();
        long stamped = append(log(), JOINED).timestampMillis();

        assertThat(stamped).isBetween(before - 1_000, System.currentTimeMillis() + 1_000);
    }

    @Test
    void allNodesFollowTheRecordsOfAllNodesInOneOrder() throws Exception {
        Incarnation first = new Incarnation(append(log(), JOINED).offset(), JOINED.random());
        Recording mine = new Recording();
        log().follow(mine);
        Incarnation second = new Incarnation(append(other(), JOINED).offset(), JOINED.random());
        append(log(), new Serving(first));
        append(other(), new Serving(second));
        append(log(), new Took(first, Set.of(0, 63)));
        append(other(), new Left(second));
        Recording others = new Recording();
        other().follow(others);

        await().until(() -> mine.reached == 6 && others.reached == 6);
        assertThat(mine.offsets).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        assertThat(mine.records)
                .containsExactly(
                        JOINED,
                        JOINED,
                        new Serving(first),
                        new Serving(second),
                        new Took(first, Set.of(0, 63)),
                        new Left(second));
        assertThat(others.records).isEqualTo(mine.records);
        assertThat(others.offsets).isEqualTo(mine.offsets);
    }

    @Test
    void aLogIsFollowedOnce() {
        log().follow(new Recording());

        assertThatThrownBy(() -> log().follow(new Recording())).isInstanceOf(IllegalStateException.class);
    }

    private static Appended append(NodeLog log, NodeRecord record) throws Exception {
        return log.append(record).toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static Bounds bounds(NodeLog log) throws Exception {
        return log.bounds().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
