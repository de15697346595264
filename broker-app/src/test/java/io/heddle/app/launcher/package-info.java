/**
 * The program as a user runs it: the built distribution, started by its launcher as a process of its own, seen through what it
 * prints, its exit status, its ports, its children and MQTT clients.
 *
 * <p>Entry class: {@link io.heddle.app.launcher.BrokerProcess}. Whatever a test starts, it has ended when it ends, and nothing
 * is signalled but by pid. What the broker does with messages is tested beside this package, in one process.
 */
@NullMarked
package io.heddle.app.launcher;

import org.jspecify.annotations.NullMarked;
