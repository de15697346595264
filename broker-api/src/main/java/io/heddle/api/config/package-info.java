/**
 * Construction of the HTTP interface: the only place in this module that creates or names its components.
 *
 * <p>Entry class: {@link io.heddle.api.config.ApiConfiguration}, which the application imports; nothing is scanned. Used once, on the thread
 * that starts the application. Invariant: all dependencies on the broker are beans of the application, as interfaces of core. The address and port of
 * the server, Actuator and everything besides HTTP belong to the application.
 */
@NullMarked
package io.heddle.api.config;

import org.jspecify.annotations.NullMarked;
