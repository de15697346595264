/**
 * What a node consists of besides its stores: its resources in memory, and its ways to the other nodes of a cluster. {@link
 * io.heddle.core.lifecycle.BrokerCore} connects both with the stores.
 */
@NullMarked
package io.heddle.core.node;

import org.jspecify.annotations.NullMarked;
