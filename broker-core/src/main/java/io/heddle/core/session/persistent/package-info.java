/**
 * The sessions that outlive their connections, in memory and in the log {@code heddle.clients}.
 *
 * <p>Enter at {@link io.heddle.core.session.persistent.PersistentSessions}; {@link io.heddle.core.session.persistent.PersistentSession} is
 * one of them, owned by the holder that has acquired it. {@link io.heddle.core.session.persistent.SessionRegistry} is the port to the store
 * that fences connections by epoch. Invariants: one holder at a time; the end of a client's session is committed before the beginning of its
 * next one; the log keeps a will until its publish is complete. Queues and logs of messages are opened in {@code session.queue}; the
 * decision between resuming and beginning is made in {@code session.registrar}.
 */
@NullMarked
package io.heddle.core.session.persistent;

import org.jspecify.annotations.NullMarked;
