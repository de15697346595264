package io.heddle.app.tracing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A span as a collector gets it.
 *
 * @param parentId empty if the span begins its trace
 * @param attributes numbers as text
 * @param resource the attributes of the process
 */
public record ReceivedSpan(
        String name,
        String traceId,
        String spanId,
        String parentId,
        String traceState,
        Map<String, String> attributes,
        List<String> events,
        boolean isError,
        Map<String, String> resource) {
    /** A field of a message of Protocol Buffers: a number, or bytes. */
    private record Field(int number, long value, ByteBuffer bytes) {
        String text() {
            return UTF_8.decode(bytes.duplicate()).toString();
        }

        String hex() {
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            return HexFormat.of().formatHex(copy);
        }
    }

    /** Reads an ExportTraceServiceRequest of OTLP. */
    static List<ReceivedSpan> read(byte[] request) {
        List<ReceivedSpan> spans = new ArrayList<>();
        for (Field resourceSpans : fields(ByteBuffer.wrap(request))) {
            Map<String, String> resource = new TreeMap<>();
            for (Field field : fields(resourceSpans.bytes)) {
                if (field.number == 1) {
                    fields(field.bytes).stream()
                            .filter(each -> each.number == 1)
                            .forEach(each -> put(resource, each));
                } else if (field.number == 2) {
                    for (Field span : fields(field.bytes)) {
                        if (span.number == 2) {
                            spans.add(span(span.bytes, resource));
                        }
                    }
                }
            }
        }
        return spans;
    }

    private static ReceivedSpan span(ByteBuffer bytes, Map<String, String> resource) {
        String name = "";
        String traceId = "";
        String spanId = "";
        String parentId = "";
        String traceState = "";
        Map<String, String> attributes = new TreeMap<>();
        List<String> events = new ArrayList<>();
        boolean isError = false;
        for (Field field : fields(bytes)) {
            switch (field.number) {
                case 1 -> traceId = field.hex();
                case 2 -> spanId = field.hex();
                case 3 -> traceState = field.text();
                case 4 -> parentId = field.hex();
                case 5 -> name = field.text();
                case 9 -> put(attributes, field);
                case 11 ->
                    fields(field.bytes).stream()
                            .filter(each -> each.number == 2)
                            .forEach(each -> events.add(each.text()));
                case 15 -> isError = fields(field.bytes).stream().anyMatch(each -> each.number == 3 && each.value == 2);
                default -> {}
            }
        }
        return new ReceivedSpan(name, traceId, spanId, parentId, traceState, attributes, events, isError, resource);
    }

    private static void put(Map<String, String> attributes, Field attribute) {
        String key = "";
        String value = "";
        for (Field field : fields(attribute.bytes)) {
            if (field.number == 1) {
                key = field.text();
            } else {
                Field any = fields(field.bytes).getFirst();
                value = any.number == 1 ? any.text() : String.valueOf(any.value);
            }
        }
        attributes.put(key, value);
    }

    private static List<Field> fields(ByteBuffer message) {
        ByteBuffer in = message.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        List<Field> fields = new ArrayList<>();
        while (in.hasRemaining()) {
            int tag = (int) varint(in);
            int number = tag >>> 3;
            switch (tag & 7) {
                case 0 -> fields.add(new Field(number, varint(in), ByteBuffer.allocate(0)));
                case 1 -> fields.add(new Field(number, in.getLong(), ByteBuffer.allocate(0)));
                case 2 -> {
                    int length = (int) varint(in);
                    fields.add(new Field(number, 0, in.slice(in.position(), length)));
                    in.position(in.position() + length);
                }
                case 5 -> fields.add(new Field(number, in.getInt(), ByteBuffer.allocate(0)));
                default -> throw new AssertionError("unknown type of a field: " + tag);
            }
        }
        return fields;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        int shift = 0;
        byte next;
        do {
            next = in.get();
            value |= (long) (next & 0x7F) << shift;
            shift += 7;
        } while (next < 0);
        return value;
    }
}
