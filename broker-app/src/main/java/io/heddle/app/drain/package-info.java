/**
 * The drain of a node: how it sends its clients to the other nodes before it stops.
 *
 * <p>Entry class: {@link io.heddle.app.drain.Drain}, on the thread that stops the broker. What the drain does not close, the start-up
 * phases close in their reverse order, as in a node without others.
 */
@NullMarked
package io.heddle.app.drain;

import org.jspecify.annotations.NullMarked;
