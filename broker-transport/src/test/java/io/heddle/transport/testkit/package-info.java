/**
 * What the transport's tests share: the check for leaked buffers and a recording fake behind the door to the sessions.
 *
 * <p>{@link io.heddle.transport.testkit.BufferLeaks} watches every test class by itself, here and, through the
 * test-jar, in broker-app, whose tests run the whole broker. Nothing else is needed outside this module.
 */
@NullMarked
package io.heddle.transport.testkit;

import org.jspecify.annotations.NullMarked;
