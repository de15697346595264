/**
 * The buckets of the cluster: owners, holders, and how far the holders have applied their logs.
 *
 * <p>Entry class: {@link io.heddle.api.buckets.BucketController}, on the virtual thread of the request, which asks all nodes.
 *
 * <p>A node that does not answer is named, and its buckets are listed without their progress. Nothing is changed here: buckets move by
 * themselves.
 */
@NullMarked
package io.heddle.api.buckets;

import org.jspecify.annotations.NullMarked;
