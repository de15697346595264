/**
 * Connects clients to their sessions.
 *
 * <p>Enter at {@link io.heddle.core.session.ConnectService}. A {@link io.heddle.core.session.ConnectAttempt} leads to a {@link
 * io.heddle.core.session.ClientConnection}, the packets of one connection, and a {@link io.heddle.core.session.ClientSession}, the state of
 * the client for the time of that connection. The event loop of the connection owns both, and their entry points assert it. Invariant: a
 * client id has at most one session on a node ({@link io.heddle.core.session.LocalSessions}). The packages below hold the parts of a
 * session: {@code outbound < persistent < queue < registrar < directory < subscribe < inbound}. Only broker-transport encodes and decodes
 * packets.
 */
@NullMarked
package io.heddle.core.session;

import org.jspecify.annotations.NullMarked;
