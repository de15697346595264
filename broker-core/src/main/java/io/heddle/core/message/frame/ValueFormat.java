package io.heddle.core.message.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.heddle.core.client.AddressRange;
import io.heddle.core.client.ClientId;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The format of the values of one type. Immutable.
 *
 * <pre>
 * may be null   u8 1, then the value; or u8 0
 * boolean       u8; int: u32; long: i64; double: i64, the bits
 * text          u32 length in bytes; UTF-8
 * enum          text, the name of the constant
 * float[], list, set, map   u32 number of elements; these, of a map each key followed by its value
 * record        the components
 * sealed type   text, the simple name of the permitted class; the value
 * others        text, as toString() returns it
 * Object        text, the name of its type: String, Long, Boolean, List or Map; the value, whose elements are objects, too, to a depth of 4
 * </pre>
 */
record ValueFormat(BiConsumer<Object, BinaryWriter> writer, Function<FrameReader, Object> reader, boolean canBeNull) {
    private static final int MAXIMUM_DEPTH = 4;

    private static final Map<Class<?>, ValueFormat> SIMPLE = Map.ofEntries(
            simple(Boolean.class, (value, out) -> out.u8(value ? 1 : 0), in -> in.u8() == 1),
            simple(Integer.class, (value, out) -> out.u32(value), in -> (int) in.u32()),
            simple(Long.class, (value, out) -> out.i64(value), FrameReader::i64),
            simple(
                    Double.class,
                    (value, out) -> out.i64(Double.doubleToLongBits(value)),
                    in -> Double.longBitsToDouble(in.i64())),
            simple(float[].class, ValueFormat::writeFloats, ValueFormat::readFloats),
            text(String.class, Function.identity()),
            text(ClientId.class, ClientId::new),
            text(TopicName.class, text -> TopicName.parse(text, Integer.MAX_VALUE)),
            text(TopicFilter.class, text -> TopicFilter.parse(text, Integer.MAX_VALUE)),
            text(AddressRange.class, AddressRange::parse),
            text(Instant.class, Instant::parse),
            text(Duration.class, Duration::parse),
            text(UUID.class, UUID::fromString));

    private static final ClassValue<ValueFormat> FORMATS = new ClassValue<>() {
        @Override
        protected ValueFormat computeValue(Class<?> type) {
            ValueFormat simple = SIMPLE.get(MethodType.methodType(type).wrap().returnType());
            if (simple != null) {
                return simple;
            }
            if (type.isRecord()) {
                return ofRecord(type);
            }
            if (type.isEnum()) {
                return ofEnum(type);
            }
            if (type.isSealed()) {
                return ofSealed(type);
            }
            if (type == Object.class) {
                return ofObject(MAXIMUM_DEPTH);
            }
            throw new IllegalArgumentException("there is no format of " + type);
        }
    };

    static ValueFormat of(Class<?> type) {
        return FORMATS.get(type);
    }

    void write(@Nullable Object value, BinaryWriter out) {
        if (canBeNull) {
            out.u8(value == null ? 0 : 1);
        }
        if (value != null || !canBeNull) {
            writer.accept(requireNonNull(value), out);
        }
    }

    @Nullable
    Object read(FrameReader in) {
        return canBeNull && in.u8() == 0 ? null : reader.apply(in);
    }

    private static ValueFormat of(AnnotatedType type) {
        ValueFormat format = type instanceof AnnotatedParameterizedType generic
                ? ofCollection(generic)
                : of((Class<?>) type.getType());
        return type.isAnnotationPresent(Nullable.class) ? new ValueFormat(format.writer, format.reader, true) : format;
    }

    private static ValueFormat ofCollection(AnnotatedParameterizedType type) {
        List<ValueFormat> arguments = Arrays.stream(type.getAnnotatedActualTypeArguments())
                .map(ValueFormat::of)
                .toList();
        return arguments.size() == 2
                ? ofMap(arguments.getFirst(), arguments.getLast())
                : ofList(
                        arguments.getFirst(),
                        ((ParameterizedType) type.getType()).getRawType() == Set.class
                                ? LinkedHashSet::new
                                : ArrayList::new);
    }

    private static <V> Map.Entry<Class<?>, ValueFormat> simple(
            Class<V> type, BiConsumer<V, BinaryWriter> writer, Function<FrameReader, V> reader) {
        return Map.entry(
                type,
                new ValueFormat((value, out) -> writer.accept(type.cast(value), out), in -> parsed(in, reader), false));
    }

    private static <V> Map.Entry<Class<?>, ValueFormat> text(Class<V> type, Function<String, V> parser) {
        return simple(type, (value, out) -> writeText(value.toString(), out), in -> parser.apply(readText(in)));
    }

    /** Reads a value that the parser or the constructor may reject. */
    private static <V> V parsed(FrameReader in, Function<FrameReader, V> reader) {
        try {
            return reader.apply(in);
        } catch (MalformedFrameException e) {
            throw e;
        } catch (RuntimeException e) {
            throw in.malformed(String.valueOf(e.getMessage()));
        }
    }

    private static void writeText(String text, BinaryWriter out) {
        byte[] bytes = text.getBytes(UTF_8);
        out.u32(bytes.length).raw(bytes);
    }

    private static String readText(FrameReader in) {
        return new String(in.raw(readCount(in)), UTF_8);
    }

    private static int readCount(FrameReader in) {
        long count = in.u32();
        if (count > in.remaining()) {
            throw in.malformed("it is too short for " + count + " elements");
        }
        return (int) count;
    }

    private static void writeFloats(float[] values, BinaryWriter out) {
        out.u32(values.length);
        for (float each : values) {
            out.u32(Integer.toUnsignedLong(Float.floatToIntBits(each)));
        }
    }

    private static float[] readFloats(FrameReader in) {
        float[] values = new float[readCount(in)];
        for (int i = 0; i < values.length; i++) {
            values[i] = Float.intBitsToFloat((int) in.u32());
        }
        return values;
    }

    private static ValueFormat ofList(ValueFormat element, Supplier<Collection<@Nullable Object>> factory) {
        return new ValueFormat(
                (value, out) -> {
                    Collection<?> elements = (Collection<?>) value;
                    out.u32(elements.size());
                    elements.forEach(each -> element.write(each, out));
                },
                in -> {
                    Collection<@Nullable Object> elements = factory.get();
                    for (int left = readCount(in); left > 0; left--) {
                        elements.add(element.read(in));
                    }
                    return elements;
                },
                false);
    }

    private static ValueFormat ofMap(ValueFormat key, ValueFormat element) {
        return new ValueFormat(
                (value, out) -> {
                    Map<?, ?> entries = (Map<?, ?>) value;
                    out.u32(entries.size());
                    entries.forEach((each, ofKey) -> {
                        key.write(each, out);
                        element.write(ofKey, out);
                    });
                },
                in -> {
                    Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
                    for (int left = readCount(in); left > 0; left--) {
                        entries.put(key.read(in), element.read(in));
                    }
                    return entries;
                },
                false);
    }

    private static ValueFormat ofEnum(Class<?> type) {
        Map<String, Object> constants = Arrays.stream(type.getEnumConstants())
                .collect(Collectors.toMap(each -> ((Enum<?>) each).name(), Function.identity()));
        return new ValueFormat(
                (value, out) -> writeText(((Enum<?>) value).name(), out), in -> named(in, constants), false);
    }

    private static ValueFormat ofSealed(Class<?> type) {
        Class<?>[] permitted = type.getPermittedSubclasses();
        return ofChoice(
                Arrays.stream(permitted).collect(Collectors.toMap(Class::getSimpleName, ValueFormat::of)),
                value -> Arrays.stream(permitted)
                        .filter(each -> each.isInstance(value))
                        .map(Class::getSimpleName)
                        .findFirst()
                        .orElseThrow());
    }

    private static ValueFormat ofObject(int depth) {
        Map<String, ValueFormat> formats = new HashMap<>();
        for (Class<?> each : List.of(String.class, Long.class, Boolean.class)) {
            formats.put(each.getSimpleName(), of(each));
        }
        if (depth > 0) {
            ValueFormat element = ofObject(depth - 1);
            formats.put("List", ofList(element, ArrayList::new));
            formats.put("Map", ofMap(element, element));
        }
        return ofChoice(formats, value -> switch (value) {
            case List<?> _ -> "List";
            case Map<?, ?> _ -> "Map";
            default -> value.getClass().getSimpleName();
        });
    }

    private static ValueFormat ofChoice(Map<String, ValueFormat> formats, Function<Object, String> choice) {
        return new ValueFormat(
                (value, out) -> {
                    String chosen = choice.apply(value);
                    writeText(chosen, out);
                    requireNonNull(formats.get(chosen), chosen).write(value, out);
                },
                in -> named(in, formats).reader.apply(in),
                false);
    }

    private static <V> V named(FrameReader in, Map<String, V> choices) {
        String name = readText(in);
        V found = choices.get(name);
        if (found == null) {
            throw in.malformed("it has an unknown " + name);
        }
        return found;
    }

    private static ValueFormat ofRecord(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Method[] accessors = new Method[components.length];
        ValueFormat[] formats = new ValueFormat[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            accessors[i] = components[i].getAccessor();
            accessors[i].setAccessible(true);
            formats[i] = of(components[i].getAnnotatedType());
        }
        Constructor<?> constructor = constructor(type, types);
        return new ValueFormat(
                (value, out) -> {
                    for (int i = 0; i < formats.length; i++) {
                        formats[i].write(component(accessors[i], value), out);
                    }
                },
                in -> {
                    @Nullable Object[] values = new @Nullable Object[formats.length];
                    for (int i = 0; i < values.length; i++) {
                        values[i] = formats[i].read(in);
                    }
                    return create(constructor, values, in);
                },
                false);
    }

    private static Constructor<?> constructor(Class<?> type, Class<?>[] types) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor;
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static @Nullable Object component(Method accessor, Object record) {
        try {
            return accessor.invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Object create(Constructor<?> constructor, @Nullable Object[] values, FrameReader in) {
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw in.malformed(String.valueOf(e.getCause()));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
