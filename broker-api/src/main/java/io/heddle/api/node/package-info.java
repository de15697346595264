/**
 * The REST resources of this node and of the members of its cluster.
 *
 * <p>Entry class: {@link io.heddle.api.node.NodeController}. Runs on the virtual thread of the request. Invariant: the response comes from
 * memory only, so it is available while a store is down (except that the sign-in needs PostgreSQL). Actuator provides health and metrics.
 */
@NullMarked
package io.heddle.api.node;

import org.jspecify.annotations.NullMarked;
