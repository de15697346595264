package io.heddle.persistence.postgres;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.FaultReason;
import java.io.FileNotFoundException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.GT;

/** Turns an {@link SQLException} into the caller's exception in service, and into a message for the operator at start. */
final class PostgresFaults {
    /** The driver's message, which it translates to the language of the machine; it sets no specific SQL state. */
    private static final String WITHOUT_SSL = "The server does not support SSL.";

    private PostgresFaults() {}

    /** Returns the exception for a failed operation while the broker is in service. */
    static RuntimeException inService(String action, SQLException fault) {
        return isUnavailable(fault)
                ? StoreUnavailableException.postgres("PostgreSQL did not answer the request to " + action, fault)
                : new PostgresException(action, fault);
    }

    /** Describes a failure of the first connection. */
    static StartupException atStart(PostgresSettings settings, SQLException fault) {
        String at = "PostgreSQL at " + settings.address();
        String state = stateOf(fault);
        if (state.equals("42501")) {
            return cannotCreateTables(settings, fault);
        }
        if (String.valueOf(fault.getMessage()).equals(GT.tr(WITHOUT_SSL))) {
            return new StartupException(
                    at
                            + " does not support SSL, which sslmode or ssl in heddle.postgres.url requires: remove it there, or"
                            + " enable SSL in the server",
                    fault);
        }
        if (FaultReason.isCausedBy(fault, SSLException.class)
                || FaultReason.isCausedBy(fault, FileNotFoundException.class)) {
            return new StartupException(
                    "SSL handshake with " + at + " failed (" + FaultReason.of(fault)
                            + "): correct sslmode, sslrootcert, sslcert and sslkey in heddle.postgres.url, or the server's"
                            + " certificate",
                    fault);
        }
        // The driver's own state: the server requires a password and none is set.
        if (state.equals("08004") && settings.password().isEmpty()) {
            return new StartupException(
                    at + " requires a password from user '" + settings.user() + "' (" + firstLine(fault)
                            + "): set heddle.postgres.user and heddle.postgres.password to an account of that server",
                    fault);
        }
        String sentence = switch (state) {
            case "28P01", "28000" ->
                at + " rejects user '" + settings.user()
                        + "': set heddle.postgres.user and heddle.postgres.password to an account of that server";
            case "3D000" ->
                at + " has no such database: create it with CREATE DATABASE, or set another in heddle.postgres.url";
            case "53300" ->
                at + " has no free connection: raise its max_connections or lower heddle.postgres.pool-size";
            case "53100" ->
                at + " has no space left on its disk (" + firstLine(fault)
                        + "): free space there; ./heddle stores it in its --data-dir";
            case "57P03" -> at + " is not ready yet (" + firstLine(fault) + "): start Heddle again in a moment";
            default ->
                isUnavailable(fault)
                        ? "PostgreSQL does not answer at " + settings.address() + " (" + FaultReason.of(fault)
                                + "): start it, or correct heddle.postgres.url"
                        : at + " rejects Heddle's statements (" + firstLine(fault)
                                + "): correct heddle.postgres.url, or the server's settings";
        };
        return new StartupException(sentence, fault);
    }

    /** Describes a user that may log in but cannot create the schema. */
    static StartupException cannotCreateTables(PostgresSettings settings, @Nullable SQLException fault) {
        return new StartupException(
                "PostgreSQL at " + settings.address() + " does not authorize user '" + settings.user()
                        + "' to create tables: grant it CREATE on the schema, or set heddle.postgres.user to the database's owner",
                fault);
    }

    private static boolean isUnavailable(SQLException fault) {
        if (fault instanceof SQLTransientConnectionException || fault instanceof SQLRecoverableException) {
            return true;
        }
        if (fault.getCause() instanceof InterruptedException) {
            // The node is stopping while a thread waits for a connection.
            return true;
        }
        String state = stateOf(fault);
        return state.startsWith("08") // connection
                || state.startsWith("53") // out of connections, memory or disk space
                || state.startsWith("57P") // shut down, starting up, session ended by an administrator
                || state.equals("57014") // statement canceled
                || state.equals("25006"); // read only: a primary that became a replica
    }

    private static String stateOf(SQLException fault) {
        String state = fault.getSQLState();
        return state == null ? "" : state;
    }

    private static String firstLine(SQLException fault) {
        // The message of a batch has the values of the statement, such as hashes of passwords.
        SQLException cause = fault instanceof BatchUpdateException ? fault.getNextException() : fault;
        return String.valueOf(cause == null ? null : cause.getMessage())
                .lines()
                .findFirst()
                .orElse("no reason given");
    }
}
