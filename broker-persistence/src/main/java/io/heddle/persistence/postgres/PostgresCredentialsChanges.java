package io.heddle.persistence.postgres;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.CredentialsChanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Notification;
import org.postgresql.jdbc.PgConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of credentials and of blocked clients, of which triggers of the tables {@code client_credentials} and {@code blocked_client} notify
 * (LISTEN, NOTIFY). Has a connection of its own,
 * because notifications belong to the session that listens; a pooler in transaction mode does not pass them on. Used by one thread, except for
 * {@link #close}.
 */
public final class PostgresCredentialsChanges implements CredentialsChanges, AutoCloseable {
    private static final String CHANNEL = "heddle_credentials";
    private static final String BLOCKED_CHANNEL = "heddle_blocked_clients";
    private static final String ACTION = "wait for changes of credentials";

    private static final Logger log = LoggerFactory.getLogger(PostgresCredentialsChanges.class);

    private final Supplier<PostgresDatabase> database;
    // Proves that notices arrive.
    private final String ownChannel =
            "heddle_own_" + UUID.randomUUID().toString().replace('-', '_');
    private boolean isTold;
    private volatile @Nullable Connection listening;
    private volatile boolean closed;

    /**
     * Creates an adapter for a database that may be opened later.
     *
     * @param database throws StoreUnavailableException while the database is not open
     */
    public PostgresCredentialsChanges(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public Changed await(Duration atMost) {
        if (closed) {
            throw new StoreUnavailableException("the node stops", null);
        }
        PostgresDatabase open;
        try {
            open = database.get();
        } catch (RuntimeException notOpen) {
            disconnect();
            throw notOpen;
        }
        try {
            Connection connection = listening;
            if (connection == null) {
                listening = listen(open);
                isTold = true;
                return new Changed(true, Set.of(), true, false);
            }
            // Classes of the package org.postgresql have annotations that the static analysis cannot read.
            Object[] received = connection
                    .unwrap(PgConnection.class)
                    .getNotifications(Math.max(1, Math.toIntExact(atMost.toMillis())));
            if (received == null || received.length == 0) {
                // A connection that was lost without a sign would never be noticed otherwise. All notices from before
                // arrive before this one.
                execute(connection, "NOTIFY " + ownChannel);
                received = connection.unwrap(PgConnection.class).getNotifications();
            }
            boolean isConfirmed = received != null && received.length > 0;
            if (!isConfirmed && isTold) {
                log.warn(
                        "PostgreSQL passes no notices on, so each CONNECT asks it for credentials, and connected clients are not disconnected"
                                + " when their credentials change: use the session mode of the pooler in front of it");
            }
            isTold = isConfirmed;
            if (received == null) {
                return new Changed(false, Set.of(), false, false);
            }
            Set<UUID> ids = new HashSet<>();
            boolean isBlockedChanged = false;
            for (Object each : received) {
                Notification notification = (Notification) each;
                if (BLOCKED_CHANNEL.equals(notification.getName())) {
                    isBlockedChanged = true;
                } else if (CHANNEL.equals(notification.getName())) {
                    ids.add(UUID.fromString(notification.getParameter()));
                }
            }
            return new Changed(false, ids, isBlockedChanged, isConfirmed);
        } catch (SQLException failure) {
            disconnect();
            throw PostgresFaults.inService(ACTION, failure);
        }
    }

    private Connection listen(PostgresDatabase database) throws SQLException {
        Connection connection = database.connect();
        try {
            execute(connection, "LISTEN " + CHANNEL);
            execute(connection, "LISTEN " + BLOCKED_CHANNEL);
            execute(connection, "LISTEN " + ownChannel);
            return connection;
        } catch (SQLException failure) {
            connection.close();
            throw failure;
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Ends the present wait and refuses further ones, before the database is closed. Any thread; idempotent. */
    @Override
    public void close() {
        closed = true;
        disconnect();
    }

    /** Closes the connection; the next wait opens another one. */
    private void disconnect() {
        Connection connection = listening;
        listening = null;
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException alreadyLost) {
                // Nothing is left to close.
                return;
            }
        }
    }
}
