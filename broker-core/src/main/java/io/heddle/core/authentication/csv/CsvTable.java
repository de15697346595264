package io.heddle.core.authentication.csv;

import io.heddle.core.authentication.csv.CsvReader.CsvRecord;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** CSV whose first line names the columns, in any order. Used by one thread. */
final class CsvTable {
    private final CsvReader records;
    private final List<String> columns;

    /** Reads the first line. */
    CsvTable(InputStream input) throws IOException {
        records = new CsvReader(input);
        CsvRecord header = records.next();
        List<String> fields = header == null || header.problem() != null ? List.of() : header.fields();
        // Spreadsheets write a byte order mark.
        columns = fields.stream()
                .map(field -> field.replace("\uFEFF", "").strip())
                .toList();
    }

    /** Returns the names of the columns; none if the first line cannot be read or names a column twice. */
    List<String> columns() {
        return new HashSet<>(columns).size() == columns.size() ? columns : List.of();
    }

    /**
     * Returns the next line, or null at the end.
     *
     * @param read reads a record that has a field for each column
     */
    @Nullable
    ImportLine next(Function<CsvRecord, ImportLine> read) throws IOException {
        CsvRecord next = records.next();
        if (next == null) {
            return null;
        }
        if (next.problem() != null) {
            return ImportLine.wrong(next.line(), next.lastLine(), next.problem());
        }
        return next.fields().size() == columns.size()
                ? read.apply(next)
                : ImportLine.wrong(
                        next.line(),
                        next.lastLine(),
                        "It has " + next.fields().size() + " fields, but the first line names " + columns.size() + ".");
    }

    /** Returns a field, or null without such a column. */
    @Nullable
    String field(CsvRecord record, String column) {
        int index = columns.indexOf(column);
        return index < 0 ? null : record.fields().get(index);
    }
}
