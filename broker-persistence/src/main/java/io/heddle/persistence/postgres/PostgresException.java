package io.heddle.persistence.postgres;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** PostgreSQL rejected a statement: a bug in the SQL or its parameters, which a retry cannot fix. */
public final class PostgresException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String sqlState;

    PostgresException(String action, SQLException cause) {
        super(
                "PostgreSQL failed to " + action + " (SQL state " + cause.getSQLState() + "): " + cause.getMessage(),
                cause);
        this.sqlState = cause.getSQLState();
    }

    /** Returns the SQL state, or null when the driver gave none. */
    public @Nullable String sqlState() {
        return sqlState;
    }
}
