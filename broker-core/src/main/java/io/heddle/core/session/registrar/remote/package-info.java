/**
 * The registrar of each bucket, wherever its holder is.
 *
 * <p>Enter at {@link io.heddle.core.session.registrar.remote.ClusterRegistrar}: it sends the requests of this node's clients to the holder of
 * the bucket, and handles those of other nodes while this node is the holder. {@link
 * io.heddle.core.session.registrar.remote.ClusterRouting} connects it with the node. {@code RegistrarFrame} is the format. Owner thread: the
 * event loop of the bucket. Invariant: the requests of a client are handled in their order, and a grant of an earlier holder is never used.
 * The decisions are elsewhere, and so is the choice of the holder.
 */
@NullMarked
package io.heddle.core.session.registrar.remote;

import org.jspecify.annotations.NullMarked;
