/**
 * Test support for other modules: the contracts of core's ports, and hand-written fakes that satisfy them.
 *
 * <p>A class named {@code *Contract} is abstract; the adapter's test and the fake's test both extend it, so that a fake behaves
 * like the adapter. The fakes of stores are thread-safe and keep everything in memory; those of the event loop and the connection
 * are deterministic: the test advances time and runs tasks.
 */
@NullMarked
package io.heddle.core.testkit;

import org.jspecify.annotations.NullMarked;
