/**
 * The whole broker in this process, on real Kafka, Redis and PostgreSQL, used by real MQTT clients over loopback.
 *
 * <p>Entry class: {@link io.heddle.app.e2e.BrokerUnderTest}. What concerns the program as a process, its exit status, signals and
 * child processes, is tested beside this package, on the built distribution.
 */
@NullMarked
package io.heddle.app.e2e;

import org.jspecify.annotations.NullMarked;
