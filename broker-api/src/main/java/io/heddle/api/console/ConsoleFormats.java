package io.heddle.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pebbletemplates.pebble.extension.AbstractExtension;
import io.pebbletemplates.pebble.extension.Filter;
import io.pebbletemplates.pebble.extension.Function;
import io.pebbletemplates.pebble.template.EvaluationContext;
import io.pebbletemplates.pebble.template.PebbleTemplate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

/**
 * Filters and functions of the templates. {@code n | num}: digits in groups. {@code n | amount}: the same, with hundredths below ten. {@code n |
 * bytes}: with a unit. {@code n | duration}: seconds in words. {@code n | percent}: of 1. {@code NAME | words}: a name of the REST interface in
 * words. {@code link(path, parameters, others)}: an address with a query. {@code recent(at)}: whether a time was within the last five minutes.
 */
final class ConsoleFormats extends AbstractExtension {
    private static final String[] UNITS = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    private static final int MANY_SECONDS = 120;
    private static final Duration RECENT = Duration.ofMinutes(5);

    private final InstantSource clock;

    ConsoleFormats(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Map<String, Filter> getFilters() {
        return Map.of(
                "num", filter(value -> String.format(Locale.ROOT, "%,d", value.longValue())),
                "amount", filter(value -> amount(value.doubleValue())),
                "bytes", filter(value -> bytes(value.doubleValue())),
                "percent", filter(value -> Math.round(value.doubleValue() * 100) + " %"),
                "duration", filter(value -> duration(value.longValue())),
                "words",
                        new Conversion() {
                            @Override
                            public @Nullable Object convert(@Nullable Object value) {
                                return value == null ? null : words(value.toString());
                            }
                        });
    }

    @Override
    public Map<String, Function> getFunctions() {
        return Map.of("link", new Link(), "recent", new Recent());
    }

    static String amount(double value) {
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 10 || value == Math.rint(value) ? "%,.0f" : "%.2f", value);
    }

    static String bytes(double value) {
        double rest = value;
        int unit = 0;
        while (rest >= 1_000 && unit < UNITS.length - 1) {
            rest /= 1_000;
            unit++;
        }
        String digits = unit == 0 || rest >= 100 ? "%.0f" : "%.1f";
        return String.format(Locale.ROOT, digits + " %s", rest, UNITS[unit]);
    }

    static String duration(long seconds) {
        Duration time = Duration.ofSeconds(seconds);
        if (seconds < MANY_SECONDS) {
            return seconds + " s";
        }
        if (time.toHours() < 2) {
            return time.toMinutes() + " min";
        }
        return time.toDays() < 2
                ? parts(time.toHours() + " h", time.toMinutesPart(), " min")
                : parts(time.toDays() + " d", time.toHoursPart(), " h");
    }

    private static String parts(String large, int small, String unit) {
        return small == 0 ? large : large + " " + small + unit;
    }

    /** {@code NOT_STORED} becomes {@code Not stored}, and {@code freeBytes} becomes {@code Free bytes}; other names in mixed case stay. */
    static String words(String name) {
        boolean isMixed =
                !name.isEmpty() && Character.isUpperCase(name.charAt(0)) && !name.equals(name.toUpperCase(Locale.ROOT));
        if (isMixed) {
            return name;
        }
        String text =
                name.replaceAll("([a-z])([A-Z])", "$1 $2").replace('_', ' ').toLowerCase(Locale.ROOT);
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private static Filter filter(java.util.function.Function<Number, String> format) {
        return new Conversion() {
            @Override
            public @Nullable Object convert(@Nullable Object value) {
                return value instanceof Number number ? format.apply(number) : value;
            }
        };
    }

    private abstract static class Conversion implements Filter {
        abstract @Nullable Object convert(@Nullable Object value);

        @Override
        public @Nullable Object apply(
                @Nullable Object input,
                Map<String, Object> args,
                PebbleTemplate self,
                EvaluationContext context,
                int lineNumber) {
            return convert(input);
        }

        @Override
        public @Nullable List<String> getArgumentNames() {
            return null;
        }
    }

    private final class Recent implements Function {
        @Override
        public Object execute(
                Map<String, Object> args, PebbleTemplate self, EvaluationContext context, int lineNumber) {
            return args.get("at") instanceof String at
                    && Instant.parse(at).isAfter(clock.instant().minus(RECENT));
        }

        @Override
        public List<String> getArgumentNames() {
            return List.of("at");
        }
    }

    /** Later parameters replace earlier ones; empty ones are left out. */
    private static final class Link implements Function {
        @Override
        public Object execute(
                Map<String, Object> args, PebbleTemplate self, EvaluationContext context, int lineNumber) {
            Map<String, String> query = new LinkedHashMap<>();
            for (String name : List.of("parameters", "others")) {
                if (args.get(name) instanceof Map<?, ?> parameters) {
                    parameters.forEach(
                            (key, value) -> query.put(key.toString(), value == null ? "" : value.toString()));
                }
            }
            StringBuilder address = new StringBuilder(String.valueOf(args.get("path")));
            char separator = '?';
            for (Map.Entry<String, String> each : query.entrySet()) {
                if (!each.getValue().isEmpty()) {
                    address.append(separator)
                            .append(UriUtils.encode(each.getKey(), UTF_8))
                            .append('=')
                            .append(UriUtils.encode(each.getValue(), UTF_8));
                    separator = '&';
                }
            }
            return address.toString();
        }

        @Override
        public List<String> getArgumentNames() {
            return List.of("path", "parameters", "others");
        }
    }
}
