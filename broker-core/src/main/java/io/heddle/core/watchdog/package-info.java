/**
 * Notices threads of a node that stand still although its process lives. Then the node writes no heartbeats, so that the others declare it dead
 * and take its buckets.
 *
 * <p>Entry class: {@link io.heddle.core.watchdog.Watchdog}, asked by the thread of the heartbeats. {@link
 * io.heddle.core.watchdog.WatchedThreads} holds the threads, which tell about their work themselves; event loops are asked. Time is counted in
 * heartbeats and not by a clock: after a pause of the process, all threads go on. What the other nodes do about the silence is decided in
 * {@code core.cluster}.
 */
@NullMarked
package io.heddle.core.watchdog;

import org.jspecify.annotations.NullMarked;
