/**
 * Ordered start and stop.
 *
 * <p>Entry class: {@link io.heddle.core.lifecycle.Broker}: phases start in order and stop in reverse, on the thread that calls. A phase
 * that cannot start says so with a {@link io.heddle.core.lifecycle.StartupException}: one sentence for the operator. What
 * the phases are is the application's to say. {@link io.heddle.core.lifecycle.Node} is how the running whole is looked at.
 */
@NullMarked
package io.heddle.core.lifecycle;

import org.jspecify.annotations.NullMarked;
