/**
 * Limits of the HTTP server: the number of connections, the time in which a request must arrive, and the size of its body. The port for
 * probes.
 *
 * <p>Entry class: {@link io.heddle.api.server.BoundedHttpProtocol}, which Tomcat creates and runs on its own threads. Invariant: a client
 * that does not complete its request holds a connection for a bounded time, whether it is silent or sends a byte now and then, and does not keep others out.
 * Authorization is in {@code security}.
 */
@NullMarked
package io.heddle.api.server;

import org.jspecify.annotations.NullMarked;
