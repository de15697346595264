package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.MemberState;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeDescription.LinkEndpoint;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Condemned;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Draining;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.Released;
import io.heddle.core.cluster.NodeRecord.RulesChanged;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import io.heddle.core.message.binary.BinaryWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeRecordFormatTest {
    private static final int RANDOM = 0x8badf00d;
    private static final Incarnation WRITER = new Incarnation(41, RANDOM);
    private static final NodeDescription NODE = new NodeDescription(
            new NodeId("node-1"), "10.0.0.5", "p/1/2", 1, 5, new LinkEndpoint("10.0.0.5:7883", "c0de"));
    private static final Map<String, NodeRecord> RECORDS = Map.of(
            "node-joined-v3",
            new Joined(NODE, RANDOM),
            "node-heartbeat-v3",
            new Heartbeat(
                    WRITER,
                    NODE,
                    MemberState.SERVING,
                    7,
                    45,
                    Set.of(0, 5, 1_023),
                    Map.of(new Incarnation(7, 1), Heartbeat.NEW, new Incarnation(9, 2), 40L)),
            "node-serving-v3",
            new Serving(WRITER),
            "node-draining-v3",
            new Draining(WRITER),
            "node-took-v3",
            new Took(WRITER, Set.of(0, 1)),
            "node-released-v3",
            new Released(WRITER, Set.of(7)),
            "node-left-v3",
            new Left(WRITER),
            "node-dead-v3",
            new Dead(WRITER, new Incarnation(7, 1), 40),
            "node-condemned-v3",
            new Condemned(WRITER, new Incarnation(7, 1)),
            "node-rules-changed-v3",
            new RulesChanged(WRITER, 7, "default deny\nallow all ü/# for everyone\n"));

    @Test
    void theFormatOfEachKindIsStable() {
        RECORDS.forEach((name, record) -> {
            assertThat(Golden.hex(NodeRecordFormat.encode(record))).as(name).isEqualTo(Golden.hex(Golden.bytes(name)));
            assertThat(read(Golden.bytes(name))).as(name).isEqualTo(record);
        });
    }

    @Test
    void aTruncatedRecordNamesItsLocation() {
        RECORDS.forEach((name, _) -> {
            byte[] whole = Golden.bytes(name);
            Truncated.assertUnreadable(whole, whole.length, cut -> read(cut), "heddle.nodes, offset 2 is unreadable: ");
        });
    }

    @Test
    void bytesBehindARecordAreRejected() {
        byte[] left = Golden.bytes("node-left-v3");

        assertThatThrownBy(() -> read(Arrays.copyOf(left, left.length + 1))).hasMessageEndingWith("1 bytes too many");
    }

    @Test
    void otherVersionsAndUnknownKindsAndStatesAreRejected() {
        for (byte version : new byte[] {2, 4}) {
            byte[] other = Golden.bytes("node-left-v3");
            other[0] = version;
            assertThatThrownBy(() -> read(other)).hasMessageContaining("a record of a node of version " + version);
        }
        byte[] unknown = Golden.bytes("node-left-v3");
        unknown[1] = 11;
        assertThatThrownBy(() -> read(unknown)).hasMessageContaining("of kind 11");
        byte[] state = Golden.bytes("node-heartbeat-v3");
        int stateAt = state.length - 2 * 20 - Short.BYTES - 3 * Short.BYTES - Short.BYTES - 2 * Long.BYTES - 1;
        state[stateAt] = 4;
        assertThatThrownBy(() -> read(state)).hasMessageContaining("the state of a node is 4");
    }

    @Test
    void malformedIncarnationsAndNamesAreRejected() {
        byte[] negative = Golden.bytes("node-left-v3");
        negative[2] = (byte) 0x80;
        assertThatThrownBy(() -> read(negative)).hasMessageContaining("the offset of an incarnation is -");
        byte[] nameless = new BinaryWriter()
                .u8(3)
                .u8(1)
                .u32(RANDOM)
                .text("")
                .text("")
                .u16(1)
                .u8(0)
                .toBytes();
        assertThatThrownBy(() -> read(nameless)).hasMessageEndingWith("without node id");
    }

    private static NodeRecord read(byte[] bytes) {
        return NodeRecordFormat.read(new RecordReader(bytes, () -> "heddle.nodes, offset 2"));
    }
}
