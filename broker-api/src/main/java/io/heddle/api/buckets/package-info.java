/**
 * The buckets of the cluster. Entry class: {@link io.heddle.api.buckets.BucketController}, on the virtual thread of the request, which asks all
 * nodes.
 */
@NullMarked
package io.heddle.api.buckets;

import org.jspecify.annotations.NullMarked;
