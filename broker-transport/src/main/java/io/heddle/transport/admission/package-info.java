/**
 * Places for connections whose peers have not said yet who they are.
 *
 * <p>Entry class: {@link io.heddle.transport.admission.Places}. The node, each listener, the TLS handshakes and the port for links have
 * places of their own. Each {@link io.heddle.transport.admission.Place} belongs to the event loop of its connection; the places are
 * thread-safe. Invariant: connections of one network that have not sent a CONNECT never take the last free place; a client that is then
 * refused keeps its place until its connection is closed. How a connection is closed, and what is logged, is decided by the holder of
 * the place.
 */
@NullMarked
package io.heddle.transport.admission;

import org.jspecify.annotations.NullMarked;
