package io.heddle.persistence.postgres;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.FaultReason;
import java.io.FileNotFoundException;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.GT;

/** What an {@link SQLException} means: in service for the caller, at start for the person who set it up. */
final class PostgresFaults {
    /** The driver's words, which it translates to the language of the machine; it has no state of its own for this. */
    private static final String WITHOUT_SSL = "The server does not support SSL.";

    private PostgresFaults() {}

    /** The exception to throw while the broker is in service. */
    static RuntimeException inService(String what, SQLException fault) {
        return isUnavailable(fault)
                ? new StoreUnavailableException("PostgreSQL did not answer: " + what, fault)
                : new PostgresException(what, fault);
    }

    /** The sentence for a first connection that failed. */
    static StartupException atStart(PostgresSettings settings, SQLException fault) {
        String at = "PostgreSQL at " + settings.address();
        String state = stateOf(fault);
        if (state.equals("42501")) {
            return mayNotCreate(settings, fault);
        }
        if (String.valueOf(fault.getMessage()).equals(GT.tr(WITHOUT_SSL))) {
            return new StartupException(
                    at
                            + " does not speak SSL, which sslmode or ssl in heddle.postgres.url wants: remove it there, or switch"
                            + " SSL on in the server",
                    fault);
        }
        if (FaultReason.isCausedBy(fault, SSLException.class)
                || FaultReason.isCausedBy(fault, FileNotFoundException.class)) {
            return new StartupException(
                    at + " and Heddle do not agree on SSL (" + FaultReason.of(fault)
                            + "): correct sslmode, sslrootcert, sslcert and sslkey in heddle.postgres.url, or the server's"
                            + " certificate",
                    fault);
        }
        // The driver's own: the server asks for a password and there is none.
        if (state.equals("08004") && settings.password().isEmpty()) {
            return new StartupException(
                    at + " wants a password from user '" + settings.user() + "' (" + firstLine(fault)
                            + "): set heddle.postgres.user and heddle.postgres.password to an account of that server",
                    fault);
        }
        String sentence = switch (state) {
            case "28P01", "28000" ->
                at + " refuses user '" + settings.user()
                        + "': set heddle.postgres.user and heddle.postgres.password to an account of that server";
            case "3D000" ->
                at + " has no such database: create it with CREATE DATABASE, or name another in heddle.postgres.url";
            case "53300" ->
                at + " has no connection left: raise its max_connections or lower heddle.postgres.pool-size";
            case "53100" ->
                at + " has no space left on its disk (" + firstLine(fault)
                        + "): make room there; ./heddle keeps it in its --data-dir";
            case "57P03" -> at + " is not ready yet (" + firstLine(fault) + "): start Heddle again in a moment";
            default ->
                isUnavailable(fault)
                        ? "PostgreSQL does not answer at " + settings.address() + " (" + FaultReason.of(fault)
                                + "): start it, or set heddle.postgres.url to where it is"
                        : at + " refuses to work (" + firstLine(fault)
                                + "): correct heddle.postgres.url, or the server's settings";
        };
        return new StartupException(sentence, fault);
    }

    /** The sentence for a user who may log in, but not make the schema. */
    static StartupException mayNotCreate(PostgresSettings settings, @Nullable SQLException fault) {
        return new StartupException(
                "PostgreSQL at " + settings.address() + " does not let user '" + settings.user()
                        + "' create tables: grant it CREATE on the schema, or set heddle.postgres.user to the database's owner",
                fault);
    }

    private static boolean isUnavailable(SQLException fault) {
        if (fault instanceof SQLTransientConnectionException || fault instanceof SQLRecoverableException) {
            return true;
        }
        if (fault.getCause() instanceof InterruptedException) {
            // While it waited for a connection: the node stops.
            return true;
        }
        String state = stateOf(fault);
        return state.startsWith("08") // connection
                || state.startsWith("53") // no connection, memory or disk left
                || state.startsWith("57P") // shut down, starting up, session ended by an administrator
                || state.equals("57014") // statement cancelled
                || state.equals("25006"); // read only: a primary that became a replica
    }

    private static String stateOf(SQLException fault) {
        String state = fault.getSQLState();
        return state == null ? "" : state;
    }

    private static String firstLine(Throwable fault) {
        return String.valueOf(fault.getMessage()).lines().findFirst().orElse("no reason given");
    }
}
