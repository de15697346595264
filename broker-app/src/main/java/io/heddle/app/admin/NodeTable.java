package io.heddle.app.admin;

import io.heddle.core.mqtt.ControlCharacters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** The nodes of {@code /api/v1/nodes} as a table with aligned columns. */
final class NodeTable {
    private static final List<String> HEAD =
            List.of("NODE", "ROLE", "BUCKETS", "CLIENTS", "LINK", "BEHIND", "ADDRESS", "INCARNATION");
    private static final String NONE = "-";
    private static final String SEPARATOR = "  ";

    private NodeTable() {}

    /** Returns the lines without a line break at the end. The link of the node that answers is called "self". */
    static String of(JsonNode nodes) {
        List<List<String>> rows = new ArrayList<>(List.of(HEAD));
        nodes.forEach(node -> rows.add(row(node)));
        int[] widths = new int[HEAD.size()];
        for (List<String> row : rows) {
            Arrays.setAll(
                    widths, column -> Math.max(widths[column], row.get(column).length()));
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                line.append(row.get(column))
                        .repeat(' ', widths[column] - row.get(column).length())
                        .append(SEPARATOR);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString().stripTrailing();
    }

    private static List<String> row(JsonNode node) {
        return List.of(
                text(node, "nodeId"),
                text(node, "role").toLowerCase(Locale.ROOT).replace('_', '-'),
                text(node, "buckets"),
                text(node, "connections"),
                link(node),
                text(node, "recordsBehind"),
                text(node, "address").equals(NONE) ? text(node, "linkAddress") : text(node, "address"),
                text(node, "incarnation"));
    }

    private static String link(JsonNode node) {
        if (node.path("self").asBoolean(false)) {
            return "self";
        }
        JsonNode up = node.path("linkUp");
        return up.isBoolean() ? (up.asBoolean() ? "up" : "down") : NONE;
    }

    private static String text(JsonNode node, String name) {
        String text = node.path(name).asString("");
        return text.isEmpty() ? NONE : ControlCharacters.escaped(text);
    }
}
