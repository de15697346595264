/**
 * Tests of the built distribution as a user runs it: a process that the launcher starts, observed through its output, exit
 * status, ports, child processes and MQTT clients.
 *
 * <p>Entry class: {@link io.heddle.app.launcher.BrokerProcess}. A test ends every process that it starts, and
 * signals processes only by pid. Messaging is tested in the package {@code e2e}, in one process.
 */
@NullMarked
package io.heddle.app.launcher;

import org.jspecify.annotations.NullMarked;
