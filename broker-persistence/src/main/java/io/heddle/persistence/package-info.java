/**
 * Persistence: implements core's ports on Kafka, Redis and PostgreSQL, each in a package that alone uses its client library.
 *
 * <p>Classes may block and run on virtual threads or at start, never on an event loop, unless the class comment says otherwise. A store
 * that does not answer is a {@link io.heddle.core.StoreUnavailableException}; a misconfigured store is a {@link
 * io.heddle.core.lifecycle.StartupException} when the broker starts. This package contains only what several of its
 * packages share.
 */
@NullMarked
package io.heddle.persistence;

import org.jspecify.annotations.NullMarked;
