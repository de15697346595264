/**
 * What the broker remembers. Implements core's ports on Kafka, Redis and PostgreSQL, each in a package of its own that is the
 * only one to know its client library.
 *
 * <p>Everything here may block and runs on virtual threads or at start, never on an event loop, unless a class says otherwise. A
 * store that does not answer is a {@link io.heddle.core.StoreUnavailableException}; one that is wrongly set up is a {@link
 * io.heddle.core.lifecycle.StartupException} when the broker starts. This package itself holds only what the three stores share.
 */
@NullMarked
package io.heddle.persistence;

import org.jspecify.annotations.NullMarked;
