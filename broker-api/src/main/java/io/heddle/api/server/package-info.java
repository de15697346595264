/**
 * The HTTP server's door: how many connections there may be and how long a request may take to arrive.
 *
 * <p>Entry class: {@link io.heddle.api.server.BoundedHttpProtocol}, which Tomcat makes and runs on threads of its own. Invariant: a client
 * that does not finish its request holds a connection for a bounded time, whether it is silent or sends a byte now and then. Who may ask
 * for what is not decided here.
 */
@NullMarked
package io.heddle.api.server;

import org.jspecify.annotations.NullMarked;
