/**
 * Wires the HTTP interface: the only place of this module that says {@code new} to its parts.
 *
 * <p>Entry class: {@link io.heddle.api.config.ApiConfiguration}, which the application imports; nothing is scanned. Runs once, on
 * the thread that starts the application. Invariant: whatever this module needs of the broker is a parameter here, as one of
 * core's interfaces. Not here: the server's address and port, Actuator and everything that is not HTTP.
 */
@NullMarked
package io.heddle.api.config;

import org.jspecify.annotations.NullMarked;
