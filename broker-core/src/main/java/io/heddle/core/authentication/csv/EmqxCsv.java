package io.heddle.core.authentication.csv;

import io.heddle.core.authentication.csv.CsvReader.CsvRecord;
import io.heddle.core.authentication.csv.EmqxUsers.EmqxUser;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The users of EMQX's built-in database in CSV. The first line names the columns, in any order: {@code user_id}, {@code password_hash} with
 * {@code salt}, or {@code password}, and {@code is_superuser}; others are ignored.
 */
public final class EmqxCsv implements ImportLines {
    private final CsvTable table;
    private final EmqxUsers users;

    /**
     * Reads the first line.
     *
     * @param input CSV in UTF-8, which the caller closes
     * @throws IllegalArgumentException if the first line does not name the columns
     */
    public EmqxCsv(InputStream input, EmqxUsers users) throws IOException {
        this.table = new CsvTable(input);
        this.users = users;
        List<String> columns = table.columns();
        if (!columns.contains("user_id") || columns.contains("password_hash") == columns.contains("password")) {
            throw new IllegalArgumentException(
                    "the first line must name the columns of EMQX: user_id, either password_hash or password, and salt"
                            + " and is_superuser if there are any");
        }
    }

    @Override
    public @Nullable ImportLine next() throws IOException {
        return table.next(this::read);
    }

    private ImportLine read(CsvRecord next) {
        return users.line(
                next.line(),
                next.lastLine(),
                new EmqxUser(
                        table.field(next, "user_id"),
                        table.field(next, "password_hash"),
                        table.field(next, "salt"),
                        table.field(next, "password"),
                        Boolean.parseBoolean(table.field(next, "is_superuser"))));
    }
}
