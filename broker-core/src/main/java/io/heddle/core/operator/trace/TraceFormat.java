package io.heddle.core.operator.trace;

import io.heddle.core.client.AddressRange;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.operator.trace.NodeTrace.Unconfirmed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The question for the new events of a trace, which begins the trace if the node does not know it, and its answer.
 *
 * <pre>
 * question: u8 version, 1; i64, i64 id of the trace; u8 1, or 0 if it ends; if 1:
 *               text administrator; i64 begin of the trace at the node, or 0; i64 number of the events since then that have been received;
 *               u8 has payloads;
 *               client id, user name, address and topic filter, each: u8 whether there is one; if so: text
 * answer:   u8 version, 1; u8 code of the state; text administrator who has ended it, or empty; i64 begin of the trace at the node;
 *           i64 suppressed; i64 lost; i64 number of the events before; u16 number of events; each: i64 milliseconds since 1970; map
 * map:      u8 number of values; each: text name; value
 * value:    u8 type; 0: text; 1: i64; 2: u8 truth; 3: u8 number of values, each a value; 4: map
 * </pre>
 */
final class TraceFormat {
    private static final int VERSION = 1;
    private static final int MAXIMUM_DEPTH = 4;
    private static final int TEXT = 0;
    private static final int NUMBER = 1;
    private static final int TRUTH = 2;
    private static final int LIST = 3;
    private static final int MAP = 4;

    private TraceFormat() {}

    /** The state of a trace at a node. */
    enum State {
        /** The node has its maximum of traces. */
        FULL(0),
        RUNNING(1),
        ENDED(2),
        /** The administrator has the maximum of traces. */
        ADMINISTRATOR_FULL(3);

        private final int code;

        State(int code) {
            this.code = code;
        }

        private static State read(FrameReader in) {
            int code = in.u8();
            for (State each : values()) {
                if (each.code == code) {
                    return each;
                }
            }
            throw in.malformed("its state is " + code);
        }
    }

    /** @param filter null if the trace ends */
    record Question(
            UUID id,
            String administrator,
            long begin,
            long received,
            boolean hasPayloads,
            @Nullable TraceFilter filter) {
        static Question toEnd(UUID id) {
            return new Question(id, "", 0, 0, false, null);
        }

        byte[] encode() {
            BinaryWriter out = new BinaryWriter()
                    .u8(VERSION)
                    .i64(id.getMostSignificantBits())
                    .i64(id.getLeastSignificantBits());
            TraceFilter criteria = filter;
            if (criteria == null) {
                return out.u8(0).toBytes();
            }
            out.u8(1).text(administrator).i64(begin).i64(received).u8(hasPayloads ? 1 : 0);
            optional(criteria.clientId(), out);
            optional(criteria.userName(), out);
            optional(criteria.address() == null ? null : criteria.address().toString(), out);
            optional(
                    criteria.topicFilter() == null
                            ? null
                            : criteria.topicFilter().value(),
                    out);
            return out.toBytes();
        }

        static Question decode(byte[] bytes) {
            FrameReader in = new FrameReader("a question for the events of a trace", bytes);
            in.version(VERSION);
            UUID id = new UUID(in.i64(), in.i64());
            if (in.u8() == 0) {
                in.finish();
                return toEnd(id);
            }
            String administrator = in.text();
            long begin = in.i64();
            long received = in.i64();
            boolean hasPayloads = in.u8() == 1;
            String clientId = in.u8() == 0 ? null : in.text();
            String userName = in.u8() == 0 ? null : in.text();
            AddressRange address = in.u8() == 0 ? null : address(in);
            TraceFilter filter = new TraceFilter(clientId, userName, address, in.u8() == 0 ? null : in.filter());
            in.finish();
            return new Question(id, administrator, begin, received, hasPayloads, filter);
        }
    }

    private static void optional(@Nullable String text, BinaryWriter out) {
        out.u8(text == null ? 0 : 1);
        if (text != null) {
            out.text(text);
        }
    }

    private static AddressRange address(FrameReader in) {
        try {
            return AddressRange.parse(in.text());
        } catch (IllegalArgumentException wrong) {
            throw in.malformed(String.valueOf(wrong.getMessage()));
        }
    }

    /**
     * @param by the administrator who has ended it; else empty
     * @param begin tells the trace from an earlier one with the same id that the node has dropped
     */
    record Answer(State state, String by, long begin, Unconfirmed found) {
        static Answer without(State state) {
            return new Answer(state, "", 0, new Unconfirmed(0, List.of(), 0, 0));
        }

        static Answer endedBy(String administrator) {
            return new Answer(State.ENDED, administrator, 0, new Unconfirmed(0, List.of(), 0, 0));
        }

        /** Encodes as many of the events as fit. */
        byte[] encode(int maximumBytes) {
            BinaryWriter fitting = new BinaryWriter();
            BinaryWriter event = new BinaryWriter();
            int header = head(0).length();
            int count = 0;
            for (TraceEvent each : found.events()) {
                event.clear();
                event.i64(each.millis());
                map(each.values(), event);
                if (header + fitting.length() + event.length() > maximumBytes || count == BinaryWriter.MAXIMUM_U16) {
                    break;
                }
                fitting.raw(event.toBytes());
                count++;
            }
            return head(count).raw(fitting.toBytes()).toBytes();
        }

        private BinaryWriter head(int count) {
            return new BinaryWriter()
                    .u8(VERSION)
                    .u8(state.code)
                    .text(by)
                    .i64(begin)
                    .i64(found.suppressed())
                    .i64(found.lost())
                    .i64(found.confirmed())
                    .u16(count);
        }

        static Answer decode(byte[] bytes) {
            FrameReader in = new FrameReader("an answer with the events of a trace", bytes);
            in.version(VERSION);
            State state = State.read(in);
            String by = in.text();
            long begin = in.i64();
            long suppressed = in.i64();
            long lost = in.i64();
            long before = in.i64();
            int count = in.u16();
            List<TraceEvent> events = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                events.add(new TraceEvent(in.i64(), readMap(in, 0)));
            }
            in.finish();
            return new Answer(state, by, begin, new Unconfirmed(before, events, suppressed, lost));
        }
    }

    private static void map(Map<?, ?> values, BinaryWriter out) {
        out.u8(values.size());
        values.forEach((name, value) -> {
            out.text(name.toString());
            value(value, out);
        });
    }

    private static void value(Object value, BinaryWriter out) {
        switch (value) {
            case String text -> out.u8(TEXT).text(text);
            case Long number -> out.u8(NUMBER).i64(number);
            case Boolean truth -> out.u8(TRUTH).u8(truth ? 1 : 0);
            case List<?> items -> {
                out.u8(LIST).u8(items.size());
                items.forEach(each -> value(each, out));
            }
            case Map<?, ?> members -> {
                out.u8(MAP);
                map(members, out);
            }
            default -> throw new IllegalArgumentException("an event has a value of " + value.getClass());
        }
    }

    private static Map<String, Object> readMap(FrameReader in, int depth) {
        int count = in.u8();
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            values.put(in.text(), readValue(in, depth + 1));
        }
        return values;
    }

    private static Object readValue(FrameReader in, int depth) {
        if (depth > MAXIMUM_DEPTH) {
            throw in.malformed("its values are nested too deeply");
        }
        int type = in.u8();
        return switch (type) {
            case TEXT -> in.text();
            case NUMBER -> in.i64();
            case TRUTH -> in.u8() == 1;
            case LIST -> {
                int count = in.u8();
                List<Object> items = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    items.add(readValue(in, depth + 1));
                }
                yield items;
            }
            case MAP -> readMap(in, depth);
            default -> throw in.malformed("it has a value of the type " + type);
        };
    }
}
