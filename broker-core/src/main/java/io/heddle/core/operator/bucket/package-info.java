/**
 * The buckets of a cluster as administrators see them. Entry class: {@link io.heddle.core.operator.bucket.BucketAdministration}, which asks the
 * holders, because only the holder of a bucket knows how far its log is applied. Nothing is changed here.
 */
@NullMarked
package io.heddle.core.operator.bucket;

import org.jspecify.annotations.NullMarked;
