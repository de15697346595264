/**
 * The resource "this node": what an operator asks first.
 *
 * <p>Entry class: {@link io.heddle.api.node.NodeController}. Runs on the request's virtual thread. Invariant: answers from
 * memory alone, so that it answers also while every store is down (signing in needs the store, though). Not here: health and
 * metrics, which Actuator serves, and the other nodes of the cluster.
 */
@NullMarked
package io.heddle.api.node;

import org.jspecify.annotations.NullMarked;
