package io.heddle.app.admin.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** An object as lines of names and values. The members of an object in it follow its name, indented. */
public final class Details {
    private static final String INDENT = "  ";

    private Details() {}

    /** Returns the lines without a line break at the end. */
    public static String of(JsonNode object) {
        List<List<String>> rows = new ArrayList<>();
        add(object, "", rows);
        return rows.isEmpty() ? "" : Table.of(rows);
    }

    private static void add(JsonNode object, String indent, List<List<String>> rows) {
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            String name = indent + Table.cell(words(member.getKey()));
            JsonNode value = member.getValue();
            if (value.isObject()) {
                rows.add(List.of(name, ""));
                add(value, indent + INDENT, rows);
            } else {
                rows.add(List.of(name, Table.cell(text(value))));
            }
        }
    }

    private static String text(JsonNode value) {
        return value.isArray()
                ? value.valueStream()
                        .map(each -> each.isObject() ? inner(each) : each.asString(""))
                        .collect(Collectors.joining(", "))
                : value.asString("");
    }

    private static String inner(JsonNode object) {
        return object.properties().stream()
                .map(member -> member.getKey() + "="
                        + (member.getValue().isObject()
                                ? "(" + inner(member.getValue()) + ")"
                                : text(member.getValue())))
                .collect(Collectors.joining(" "));
    }

    /** Returns {@code keep alive seconds} for {@code keepAliveSeconds}. */
    private static String words(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }
}
