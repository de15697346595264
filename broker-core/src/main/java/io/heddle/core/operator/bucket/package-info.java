/**
 * The buckets of a cluster as administrators see them.
 *
 * <p>Entry class: {@link io.heddle.core.operator.bucket.BucketAdministration}, called on the virtual threads of requests. It asks the
 * holders, because only the holder of a bucket knows how far its log is applied. Nothing is changed here; {@code core.lifecycle} takes and
 * releases buckets.
 */
@NullMarked
package io.heddle.core.operator.bucket;

import org.jspecify.annotations.NullMarked;
