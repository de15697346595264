/**
 * A client's session, and what is said over each of its connections.
 *
 * <p>Enter at {@link io.heddle.core.session.ConnectService}; then {@link io.heddle.core.session.Conversation} is one connection, and
 * {@link io.heddle.core.session.ClientSession} what outlives it: subscriptions, messages that wait or are unacknowledged, the will, the
 * expiry. Both are confined to the connection's event loop, asserted at every entry; the only thing that other threads touch is
 * the map {@link io.heddle.core.session.LocalSessions}. At most one session of a client id is alive on a node. Sessions are in memory
 * and end with their node. {@link io.heddle.core.session.PersistentSessions}, with what is known of sessions that outlive it, is not in
 * use yet. Bytes are not known here.
 */
@NullMarked
package io.heddle.core.session;

import org.jspecify.annotations.NullMarked;
