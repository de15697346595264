package io.heddle.app.admin.output;

import io.heddle.core.mqtt.ControlCharacters;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Objects as lines with aligned columns below a head. */
public final class Table {
    private static final String NONE = "-";
    private static final String SEPARATOR = "  ";

    private Table() {}

    /** Returns the lines without a line break at the end. An empty cell is a dash. */
    public static String of(List<Column> columns, Iterable<JsonNode> objects) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(columns.stream().map(Column::head).toList());
        for (JsonNode object : objects) {
            rows.add(columns.stream()
                    .map(column -> cell(column.text().apply(object)))
                    .toList());
        }
        return of(rows);
    }

    /** Returns the lines of cells that are printable. All rows have the same length. */
    static String of(List<List<String>> rows) {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], width(row.get(column)));
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String cell = row.get(column);
                line.append(cell).repeat(' ', widths[column] - width(cell)).append(SEPARATOR);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString().stripTrailing();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }

    static String cell(String text) {
        return text.isEmpty() ? NONE : ControlCharacters.escaped(text).replace("\t", "\\t");
    }
}
