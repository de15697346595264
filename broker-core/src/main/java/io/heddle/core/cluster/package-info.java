/**
 * State that all nodes of the cluster share.
 *
 * <p>Entry classes: {@link io.heddle.core.changelog.ChangeLog}, a durable map stored as a log of its changes, and
 * {@link io.heddle.core.cluster.Buckets}, which assigns each client to a partition. {@link io.heddle.core.cluster.BucketLoops} assigns each
 * bucket to an event loop. All are thread-safe. The storage of a log
 * belongs to its adapter.
 */
@NullMarked
package io.heddle.core.cluster;

import org.jspecify.annotations.NullMarked;
