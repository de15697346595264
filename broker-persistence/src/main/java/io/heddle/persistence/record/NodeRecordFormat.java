package io.heddle.persistence.record;

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
import io.heddle.core.cluster.NodeRecord.OfMember;
import io.heddle.core.cluster.NodeRecord.Released;
import io.heddle.core.cluster.NodeRecord.RulesChanged;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import io.heddle.core.message.binary.BinaryWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The format of the records in the log of nodes.
 *
 * <pre>
 * u8    version, 3
 * u8    kind
 *       writer: an incarnation                            (all kinds but 1)
 *
 * kind 1, Joined:
 * u32   random part of the incarnation
 *       node
 *
 * kind 2, Heartbeat:
 *       node
 * u8    state: 1 joined, 2 serving, 3 draining
 * i64   number of the heartbeat
 * i64   offset below which the writer has applied all records
 *       buckets
 * u16   number of members that the writer does not reach; each: incarnation, i64 offset of the third heartbeat that named it, or -1
 *
 * kind 3, Serving; kind 4, Draining; kind 7, Left: no more
 *
 * kind 5, Took; kind 6, Released:
 *       buckets
 *
 * kind 8, Dead:
 *       the dead incarnation
 * i64   offset of its last record
 *
 * kind 10, Condemned:
 *       the incarnation that must leave
 *
 * kind 9, RulesChanged:
 * i64   version of the rules
 * u32   length of their text
 *       the text in UTF-8
 *
 * incarnation: i64 offset, u32 random part
 * node:        text node id, text address, text process, u16 feature level, u8 number of transactional ids,
 *              text address for links, text fingerprint of the certificate
 * buckets:     u16 number of buckets, u16 each, ascending
 * </pre>
 */
public final class NodeRecordFormat {
    private static final String NAME = "a record of a node";
    private static final int VERSION = 3;
    private static final int JOINED = 1;
    private static final int HEARTBEAT = 2;
    private static final int SERVING = 3;
    private static final int DRAINING = 4;
    private static final int TOOK = 5;
    private static final int RELEASED = 6;
    private static final int LEFT = 7;
    private static final int DEAD = 8;
    private static final int RULES_CHANGED = 9;
    private static final int CONDEMNED = 10;

    private static final int STATE_JOINED = 1;
    private static final int STATE_SERVING = 2;
    private static final int STATE_DRAINING = 3;

    private NodeRecordFormat() {}

    public static byte[] encode(NodeRecord record) {
        BinaryWriter writer = new BinaryWriter().u8(VERSION).u8(kind(record));
        if (record instanceof OfMember ofMember) {
            write(ofMember.writer(), writer);
        }
        switch (record) {
            case Joined joined -> {
                writer.u32(joined.random());
                write(joined.node(), writer);
            }
            case Heartbeat beat -> {
                write(beat.node(), writer);
                writer.u8(state(beat.state())).i64(beat.number()).i64(beat.followed());
                write(beat.buckets(), writer);
                write(beat.unreachable(), writer);
            }
            case Took took -> write(took.buckets(), writer);
            case Released released -> write(released.buckets(), writer);
            case Dead dead -> {
                write(dead.incarnation(), writer);
                writer.i64(dead.lastRecord());
            }
            case Condemned condemned -> write(condemned.incarnation(), writer);
            case RulesChanged changed -> {
                byte[] text = changed.rules().getBytes(StandardCharsets.UTF_8);
                writer.i64(changed.version()).u32(text.length).raw(text);
            }
            case Serving _, Draining _, Left _ -> {
                // The writer is all.
            }
        }
        return writer.toBytes();
    }

    private static int kind(NodeRecord record) {
        return switch (record) {
            case Joined _ -> JOINED;
            case Heartbeat _ -> HEARTBEAT;
            case Serving _ -> SERVING;
            case Draining _ -> DRAINING;
            case Took _ -> TOOK;
            case Released _ -> RELEASED;
            case Left _ -> LEFT;
            case Dead _ -> DEAD;
            case RulesChanged _ -> RULES_CHANGED;
            case Condemned _ -> CONDEMNED;
        };
    }

    private static int state(MemberState state) {
        return switch (state) {
            case JOINED -> STATE_JOINED;
            case SERVING -> STATE_SERVING;
            case DRAINING -> STATE_DRAINING;
            case CONDEMNED -> throw new IllegalArgumentException("a condemned node writes no heartbeats");
        };
    }

    private static void write(Incarnation incarnation, BinaryWriter writer) {
        writer.i64(incarnation.offset()).u32(incarnation.random());
    }

    private static void write(NodeDescription node, BinaryWriter writer) {
        writer.text(node.id().value())
                .text(node.address())
                .text(node.process())
                .u16(node.formats())
                .u8(node.transactionalIds())
                .text(node.link().address())
                .text(node.link().fingerprint());
    }

    private static void write(Map<Incarnation, Long> unreachable, BinaryWriter writer) {
        writer.u16(unreachable.size());
        new TreeMap<>(unreachable).forEach((each, third) -> {
            write(each, writer);
            writer.i64(third);
        });
    }

    private static void write(Set<Integer> buckets, BinaryWriter writer) {
        writer.u16(buckets.size());
        buckets.stream().sorted().forEach(writer::u16);
    }

    /** @throws UnreadableRecordException when it is truncated, or of another version or unknown kind */
    public static NodeRecord read(RecordReader reader) {
        reader.version(NAME, VERSION);
        int kind = reader.u8();
        NodeRecord record = kind == JOINED ? readJoined(reader) : readOfMember(kind, reader);
        reader.finish();
        return record;
    }

    private static Joined readJoined(RecordReader reader) {
        int random = (int) reader.u32();
        return new Joined(readNode(reader), random);
    }

    private static NodeRecord readOfMember(int kind, RecordReader reader) {
        Incarnation writer = readIncarnation(reader);
        return switch (kind) {
            case HEARTBEAT ->
                new Heartbeat(
                        writer,
                        readNode(reader),
                        readState(reader),
                        reader.i64(),
                        reader.i64(),
                        readBuckets(reader),
                        readUnreachable(reader));
            case SERVING -> new Serving(writer);
            case DRAINING -> new Draining(writer);
            case TOOK -> new Took(writer, readBuckets(reader));
            case RELEASED -> new Released(writer, readBuckets(reader));
            case LEFT -> new Left(writer);
            case DEAD -> new Dead(writer, readIncarnation(reader), reader.i64());
            case CONDEMNED -> new Condemned(writer, readIncarnation(reader));
            case RULES_CHANGED ->
                new RulesChanged(
                        writer,
                        reader.i64(),
                        new String(
                                reader.raw((int) Math.min(Integer.MAX_VALUE, reader.u32())), StandardCharsets.UTF_8));
            default -> throw reader.malformed(NAME + " of kind " + kind + ", which this broker does not know");
        };
    }

    private static Incarnation readIncarnation(RecordReader reader) {
        long offset = reader.i64();
        int random = (int) reader.u32();
        if (offset < 0) {
            throw reader.malformed("the offset of an incarnation is " + offset);
        }
        return new Incarnation(offset, random);
    }

    private static NodeDescription readNode(RecordReader reader) {
        String id = reader.text();
        if (id.isEmpty()) {
            throw reader.malformed(NAME + " without node id");
        }
        return new NodeDescription(
                new NodeId(id),
                reader.text(),
                reader.text(),
                reader.u16(),
                reader.u8(),
                new LinkEndpoint(reader.text(), reader.text()));
    }

    private static MemberState readState(RecordReader reader) {
        int state = reader.u8();
        return switch (state) {
            case STATE_JOINED -> MemberState.JOINED;
            case STATE_SERVING -> MemberState.SERVING;
            case STATE_DRAINING -> MemberState.DRAINING;
            default -> throw reader.malformed("the state of a node is " + state + ", which this broker does not know");
        };
    }

    private static Map<Incarnation, Long> readUnreachable(RecordReader reader) {
        int count = reader.u16();
        Map<Incarnation, Long> unreachable = HashMap.newHashMap(count);
        for (int i = 0; i < count; i++) {
            unreachable.put(readIncarnation(reader), reader.i64());
        }
        return unreachable;
    }

    private static Set<Integer> readBuckets(RecordReader reader) {
        int count = reader.u16();
        Set<Integer> buckets = HashSet.newHashSet(count);
        for (int i = 0; i < count; i++) {
            buckets.add(reader.u16());
        }
        return buckets;
    }
}
