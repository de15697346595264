/**
 * Child processes: started under a guard, supervised, restarted after an exit, and stopped with the broker.
 *
 * <p>Enter at {@link io.heddle.standalone.process.SupervisedProcess}, which owns one daemon thread for each running child.
 *
 * <p>Invariant: a child exits when the broker exits, even after {@code kill -9}: its guard reads a pipe from the broker.
 *
 * <p>Not here: the command, settings and readiness probe of a server, which a {@link io.heddle.standalone.process.ServerProcess} provides.
 */
@NullMarked
package io.heddle.standalone.process;

import org.jspecify.annotations.NullMarked;
