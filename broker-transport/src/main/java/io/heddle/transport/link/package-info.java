/**
 * Reliable, ordered links between the nodes of a cluster.
 *
 * <p>Entry class: {@link io.heddle.transport.link.Links}, the adapter of {@link io.heddle.core.link.NodeLinks}. A link between two
 * incarnations has several lanes, each with its own connection and order: lane 0 for control frames, the others for data. The sender opens
 * the connection of a lane; frames go one way, and acknowledgements the other. TLS 1.3 with certificates that the log of nodes names.
 *
 * <p>Invariants: between two incarnations, every frame that a lane has accepted arrives once and in order, whatever happens to its
 * connections, or the lane ends because one of the incarnations has ended. Unacknowledged bytes are bounded.
 */
@NullMarked
package io.heddle.transport.link;

import org.jspecify.annotations.NullMarked;
