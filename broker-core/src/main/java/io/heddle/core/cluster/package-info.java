/**
 * Who else is there, and what all nodes know together.
 *
 * <p>Enter at {@link io.heddle.core.cluster.ChangeLog}, a map that outlives nodes as a log of its changes, and {@link
 * io.heddle.core.cluster.Buckets}, which say where a client's state lies. Immutable, or thread-safe as said. How a log is
 * kept is its adapter's matter.
 */
@NullMarked
package io.heddle.core.cluster;

import org.jspecify.annotations.NullMarked;
