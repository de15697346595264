/**
 * PostgreSQL: client credentials, administrators, the cluster's identity, and a searchable copy of the sessions.
 *
 * <p>Entry class: {@link io.heddle.persistence.postgres.PostgresDatabase}, the connection pool, opened once at start; the adapters of
 * core's ports borrow connections from it. All calls block: only virtual threads and the writer of sessions may call, never an event loop.
 * Invariant: values are bound as parameters, never part of the SQL text. The schema is in {@code db/migration}; it changes only by a new
 * file, because Flyway rejects a changed one. Nothing here is on the message path.
 */
@NullMarked
package io.heddle.persistence.postgres;

import org.jspecify.annotations.NullMarked;
