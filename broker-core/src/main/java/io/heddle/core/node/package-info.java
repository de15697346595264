/**
 * What a node consists of besides its stores: its resources in memory, and its ways to the other nodes of a cluster.
 *
 * <p>Entry class: {@link io.heddle.core.node.ClusterRoutes}, which a node constructs before it joins the cluster. It connects the registrar,
 * the pushes and the messages of this node with those of the others. The package above, {@code lifecycle}, connects them with the stores.
 */
@NullMarked
package io.heddle.core.node;

import org.jspecify.annotations.NullMarked;
