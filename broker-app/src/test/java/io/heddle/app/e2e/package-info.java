/**
 * Tests of the whole broker in this process, with real Kafka, Redis and PostgreSQL and real MQTT clients over loopback.
 *
 * <p>Entry class: {@link io.heddle.app.e2e.BrokerUnderTest}. The package {@code launcher} tests the process: exit
 * status, signals and child processes of the built distribution.
 */
@NullMarked
package io.heddle.app.e2e;

import org.jspecify.annotations.NullMarked;
