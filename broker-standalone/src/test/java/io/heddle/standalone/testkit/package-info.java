/**
 * Real servers for tests of any module.
 *
 * <p>Enter at {@link io.heddle.standalone.testkit.TestServers}: one Kafka, one Redis and one PostgreSQL per test JVM,
 * from the environment, else from Docker, else as child processes. Tests that break servers start their own with
 * {@link io.heddle.standalone.Servers}.
 *
 * <p>Not here: fakes. Shared servers are never emptied, so a test names its topics, keys and schemas uniquely.
 */
@NullMarked
package io.heddle.standalone.testkit;

import org.jspecify.annotations.NullMarked;
