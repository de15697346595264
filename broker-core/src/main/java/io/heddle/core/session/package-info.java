/**
 * A client's session, and what is said over each of its connections.
 *
 * <p>Enter at {@link io.heddle.core.session.ConnectService}; then {@link io.heddle.core.session.ClientConnection} is what
 * is said over one connection, {@link io.heddle.core.session.ClientSession} what the broker knows of the client
 * meanwhile, both confined to the connection's event loop, asserted at every entry. At most one of a client id is alive
 * on a node ({@link io.heddle.core.session.LocalSessions}). What outlives the connection is a {@link
 * io.heddle.core.session.PersistentSession}, held by one connection at a time; its messages come from its queue or its
 * log ({@link io.heddle.core.session.FedMessages}), those of a session that ends with its connection from memory
 * ({@link io.heddle.core.session.WaitingMessages}). People search in a {@link io.heddle.core.session.SessionDirectory},
 * written behind on a thread of its own. Bytes are not known here.
 */
@NullMarked
package io.heddle.core.session;

import org.jspecify.annotations.NullMarked;
