/**
 * What other modules' tests need of core: the contracts of its ports, and hand-written fakes that pass them.
 *
 * <p>A class named {@code *Contract} is abstract; the adapter's test and the fake's test both extend it, so that a fake never
 * promises what the real thing does not. The fakes of stores are thread-safe and keep everything in memory; those of the event
 * loop and the connection are deterministic: time moves and tasks run when a test says so.
 */
@NullMarked
package io.heddle.core.testkit;

import org.jspecify.annotations.NullMarked;
