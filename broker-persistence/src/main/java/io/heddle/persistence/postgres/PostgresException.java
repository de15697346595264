package io.heddle.persistence.postgres;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** PostgreSQL answered, and said no: a mistake of ours, in the SQL or in what was bound to it. Not to be retried. */
public final class PostgresException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String sqlState;

    PostgresException(String what, SQLException cause) {
        super(
                "PostgreSQL refused to " + what + " (SQL state " + cause.getSQLState() + "): " + cause.getMessage(),
                cause);
        this.sqlState = cause.getSQLState();
    }

    /** The five characters that say what kind of mistake, or null when the driver gave none. */
    public @Nullable String sqlState() {
        return sqlState;
    }
}
