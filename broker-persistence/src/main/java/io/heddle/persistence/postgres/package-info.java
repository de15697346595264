/**
 * What lies in PostgreSQL: client credentials, administrators, the cluster's identity, a picture of the sessions to search in.
 *
 * <p>Entry class: {@link io.heddle.persistence.postgres.PostgresDatabase}, the pool of connections, opened once at
 * start; the adapters of core's ports borrow from it. Everything blocks: virtual threads and the writer of sessions
 * only, never an event loop. Invariant: values are always bound as parameters, never part of the SQL text. The schema
 * is in {@code db/migration} and changes only by adding a file there. Nothing here is on the message path.
 */
@NullMarked
package io.heddle.persistence.postgres;

import org.jspecify.annotations.NullMarked;
