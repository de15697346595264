package io.heddle.core.authentication.csv;

import io.heddle.core.authentication.csv.CsvReader.CsvRecord;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Credentials in CSV. The first line names the columns, in any order: {@code clientId}, {@code userName}, {@code type}, {@code
 * groups}, and {@code password} or
 * {@code passwordHash}; an empty field is an absent value.
 */
public final class HeddleCsv implements ImportLines {
    private static final Set<String> COLUMNS =
            Set.of("clientId", "userName", "type", "groups", "password", "passwordHash");

    private final CsvTable table;

    /**
     * Reads the first line.
     *
     * @param input CSV in UTF-8, which the caller closes
     * @throws IllegalArgumentException if the first line does not name the columns
     */
    public HeddleCsv(InputStream input) throws IOException {
        table = new CsvTable(input);
        List<String> columns = table.columns();
        boolean hasPassword = columns.contains("password") != columns.contains("passwordHash");
        boolean hasName = columns.contains("clientId") || columns.contains("userName");
        if (!COLUMNS.containsAll(columns) || !hasPassword || !hasName) {
            throw new IllegalArgumentException(
                    "the first line must name the columns: clientId, userName or both, type and"
                            + " groups if you like, and either password or passwordHash");
        }
    }

    @Override
    public @Nullable ImportLine next() throws IOException {
        return table.next(this::read);
    }

    private ImportLine read(CsvRecord next) {
        String type = table.field(next, "type");
        return new ImportLine(
                next.line(),
                next.lastLine(),
                table.field(next, "clientId"),
                table.field(next, "userName"),
                type == null || type.isEmpty() ? null : type,
                table.field(next, "groups"),
                table.field(next, "password"),
                table.field(next, "passwordHash"),
                null);
    }
}
