/**
 * Test support of the transport: detection of leaked buffers and a recording fake of core's sessions.
 *
 * <p>{@link io.heddle.transport.testkit.BufferLeaks} checks every test class automatically, here and, through the test-jar, in
 * broker-app, whose tests run the whole broker. Nothing else is needed outside this module.
 */
@NullMarked
package io.heddle.transport.testkit;

import org.jspecify.annotations.NullMarked;
