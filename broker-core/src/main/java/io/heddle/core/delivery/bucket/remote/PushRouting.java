package io.heddle.core.delivery.bucket.remote;

import io.heddle.core.link.NodeLinks;

/**
 * The way to the other nodes of the cluster.
 *
 * @param links takes the frames of kinds {@value PushFrame#FIRST_KIND} to {@value PushFrame#LAST_KIND}
 */
public record PushRouting(NodeLinks links, PushPeers peers) {}
