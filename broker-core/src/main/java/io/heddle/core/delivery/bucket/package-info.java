/**
 * Applies the bucket logs to the queues of DEVICE clients.
 *
 * <p>Entry class: {@link io.heddle.core.delivery.bucket.BucketWriter}, on the thread that reads the logs (the applying thread). The log is
 * the truth and the queues are a view of it. A message's sequence number in its queue follows from the log, so a replay assigns the same
 * numbers. {@link io.heddle.core.delivery.bucket.BucketPositions} knows how far each bucket is applied;
 * {@link io.heddle.core.delivery.bucket.BucketLogTruncation} deletes applied records. Queues are read in
 * {@link io.heddle.core.delivery.device}; a push from here only hints to a session that its queue has grown.
 */
@NullMarked
package io.heddle.core.delivery.bucket;

import org.jspecify.annotations.NullMarked;
