package io.heddle.core.testkit;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

/** Records the lines that its logger is given, as text after their level: {@code INFO Connection closed}. Thread-safe. */
public final class LogLines {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger = (Logger) Proxy.newProxyInstance(
            Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (_, method, arguments) -> {
                lines.add(method.getName().toUpperCase(Locale.ROOT) + ' ' + text(arguments));
                return null;
            });

    private static String text(Object[] arguments) {
        List<@Nullable Object> values = new ArrayList<>();
        for (Object each : Arrays.asList(arguments).subList(1, arguments.length)) {
            if (each instanceof Object[] several) {
                values.addAll(Arrays.asList(several));
            } else {
                values.add(each);
            }
        }
        return MessageFormatter.arrayFormat((String) arguments[0], values.toArray())
                .getMessage();
    }

    /** Returns the logger. */
    public Logger logger() {
        return logger;
    }

    /** Returns the lines in their order. */
    public List<String> all() {
        return List.copyOf(lines);
    }

    /** Returns the only line. */
    public String only() {
        if (lines.size() != 1) {
            throw new AssertionError("there are " + lines.size() + " lines: " + lines);
        }
        return lines.getFirst();
    }
}
