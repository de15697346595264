/**
 * The queues of DEVICE clients: their size, their first messages, and their removal.
 *
 * <p>Entry class: {@link io.heddle.api.queues.QueueController}, on the virtual thread of the request.
 *
 * <p>Any node answers, because the queues are in Redis. Reading leaves them unchanged; clearing is a command in the log of the bucket,
 * never a deletion in Redis.
 */
@NullMarked
package io.heddle.api.queues;

import org.jspecify.annotations.NullMarked;
