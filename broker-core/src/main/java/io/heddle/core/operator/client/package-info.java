/**
 * The clients of all nodes, as administrators see and change them.
 *
 * <p>Entry class: {@link io.heddle.core.operator.client.ClusterClients}, whose methods block for some seconds at most and are called on virtual
 * threads. Connected clients are known to their node only, which is asked; clients that are away are in the memory of every node. Lists are
 * in the order of the client ids, by UTF-16 code units, and are bounded pages.
 */
@NullMarked
package io.heddle.core.operator.client;

import org.jspecify.annotations.NullMarked;
