/**
 * What the nodes of a cluster have refused last, for administrators.
 *
 * <p>Entry class: {@link io.heddle.core.operator.refusal.RefusalSearch}, called on threads that may block. It asks all nodes. Bounds: a page of
 * each node, cut to the size of an answer.
 */
@NullMarked
package io.heddle.core.operator.refusal;

import org.jspecify.annotations.NullMarked;
