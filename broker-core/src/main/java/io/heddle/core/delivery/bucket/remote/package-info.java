/**
 * Pushes between the node that holds a bucket and the nodes to which its clients are connected.
 *
 * <p>Enter at {@link io.heddle.core.delivery.bucket.remote.PushSender}, which gathers the pushes of the writer of the queues and sends one
 * frame per node and batch, and at {@link io.heddle.core.delivery.bucket.remote.PushReceiver}, which passes the frames of other nodes on to
 * the feeds of this node. {@link io.heddle.core.delivery.bucket.remote.PushFrame} is the format. A push is a hint; a push that does not
 * arrive costs a read of the queue. The sender belongs to the thread that applies the bucket logs, the receiver is thread-safe.
 */
@NullMarked
package io.heddle.core.delivery.bucket.remote;

import org.jspecify.annotations.NullMarked;
