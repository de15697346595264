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
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Notification;
import org.postgresql.jdbc.PgConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of credentials and of blocked clients, of which triggers of the tables {@code client_credentials} and {@code blocked_client} notify
 * (LISTEN, NOTIFY). Has two connections of its own: notifications belong to the session that listens, and sign-ins may use up the pool. Used by one thread, except for {@link
 * #close}.
 *
 * <p>A pooler in transaction mode loses notices. So the node notifies itself every half a second, over another connection: what was committed before an own notice that arrives has arrived, too.
 */
public final class PostgresCredentialsChanges implements CredentialsChanges, AutoCloseable {
    private static final String CHANNEL = "heddle_credentials";
    private static final String BLOCKED_CHANNEL = "heddle_blocked_clients";
    private static final String ACTION = "wait for changes of credentials";

    private static final long INTERVAL_NANOS = Duration.ofMillis(500).toNanos();
    private static final long OVERDUE_NANOS = Duration.ofSeconds(2).toNanos();
    /** More changes at once are a gap. */
    private static final int MAXIMUM_IDS = 10_000;

    private static final Logger log = LoggerFactory.getLogger(PostgresCredentialsChanges.class);

    private final Supplier<PostgresDatabase> database;
    private final String ownChannel =
            "heddle_own_" + UUID.randomUUID().toString().replace('-', '_');
    private final LongSupplier nanoTime;
    // The notice to itself, which this node has sent last.
    private long ownNumber;
    private long ownNanos;
    private boolean isOwnAwaited;
    // When the latest one that has arrived was sent; null if none has, or a later one is overdue.
    private @Nullable Long confirmedNanos;
    private boolean isReported;
    private volatile @Nullable Connection listening;
    private volatile @Nullable Connection notifying;
    private volatile boolean closed;

    /** @param database throws StoreUnavailableException while the database is not open */
    public PostgresCredentialsChanges(Supplier<PostgresDatabase> database) {
        this(database, System::nanoTime);
    }

    /** Creates an adapter with another monotonic clock, in nanoseconds. */
    PostgresCredentialsChanges(Supplier<PostgresDatabase> database, LongSupplier nanoTime) {
        this.database = database;
        this.nanoTime = nanoTime;
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
                confirmedNanos = null;
                isOwnAwaited = false;
                ownNanos = nanoTime.getAsLong() - INTERVAL_NANOS;
                return new Changed(true, Set.of(), true, null);
            }
            if (untilOwn() <= 0) {
                if (isOwnAwaited) {
                    onOverdue(connection);
                }
                notifyItself(open);
            }
            long longestWait = Math.min(atMost.toNanos(), untilOwn());
            return received(connection
                    .unwrap(PgConnection.class)
                    .getNotifications(Math.max(1, Math.toIntExact(longestWait / 1_000_000))));
        } catch (SQLException failure) {
            disconnect();
            throw PostgresFaults.inService(ACTION, failure);
        }
    }

    /** Returns in how many nanoseconds the next own notice is sent. */
    private long untilOwn() {
        return ownNanos + (isOwnAwaited ? OVERDUE_NANOS : INTERVAL_NANOS) - nanoTime.getAsLong();
    }

    /** An own notice has not arrived in time. A connection that was lost without a sign would never be noticed otherwise. */
    private void onOverdue(Connection connection) throws SQLException {
        execute(connection, "SELECT 1");
        if (!isReported) {
            isReported = true;
            log.warn(
                    "PostgreSQL passes no notices on, so each CONNECT asks it for credentials, and connected clients are not disconnected"
                            + " when their credentials change: use the session mode of the pooler in front of it");
        }
        confirmedNanos = null;
    }

    private void notifyItself(PostgresDatabase open) throws SQLException {
        Connection connection = notifying;
        if (connection == null) {
            connection = open.connect();
            notifying = connection;
        }
        ownNumber++;
        ownNanos = nanoTime.getAsLong();
        isOwnAwaited = true;
        execute(connection, "NOTIFY " + ownChannel + ", '" + ownNumber + "'");
    }

    /** @param notifications null for none; their class has annotations that the static analysis cannot read */
    private Changed received(Object @Nullable [] notifications) {
        Set<UUID> ids = new HashSet<>();
        boolean isGap = false;
        boolean isBlockedChanged = false;
        for (Object each : notifications == null ? new Object[0] : notifications) {
            Notification notification = (Notification) each;
            switch (notification.getName()) {
                case CHANNEL -> isGap |= !add(notification.getParameter(), ids);
                case BLOCKED_CHANNEL -> isBlockedChanged = true;
                default -> {
                    if (notification.getParameter().equals(Long.toString(ownNumber))) {
                        confirmedNanos = ownNanos;
                        isOwnAwaited = false;
                        // Others may have been lost.
                        isGap |= isReported;
                        isReported = false;
                    }
                }
            }
        }
        if (isGap || ids.size() > MAXIMUM_IDS) {
            isGap = true;
            ids.clear();
        }
        Long confirmed = confirmedNanos;
        return new Changed(
                isGap,
                ids,
                isBlockedChanged,
                confirmed == null ? null : Duration.ofNanos(nanoTime.getAsLong() - confirmed));
    }

    /** Adds an id; false if the text is none, as after TRUNCATE. */
    private static boolean add(String id, Set<UUID> to) {
        try {
            to.add(UUID.fromString(id));
            return true;
        } catch (IllegalArgumentException noId) {
            return false;
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

    /** Closes the connections; the next wait opens others. */
    private void disconnect() {
        Connection first = listening;
        Connection second = notifying;
        listening = null;
        notifying = null;
        close(first);
        close(second);
    }

    private static void close(@Nullable Connection connection) {
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
