/**
 * Frames between the nodes of a cluster.
 *
 * <p>Entry class: {@link io.heddle.core.link.NodeLinks}, the port that sends frames to other members and receives theirs. Its users are in
 * higher layers: each owns a range of frame kinds and the format of their payloads. Links are fast and carry no truth: whether a node lives
 * and which buckets it holds is in the log of nodes only ({@link io.heddle.core.cluster.Membership}).
 */
@NullMarked
package io.heddle.core.link;

import org.jspecify.annotations.NullMarked;
