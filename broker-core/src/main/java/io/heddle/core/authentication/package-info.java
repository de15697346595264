/**
 * Authentication: establishes the identity of a connecting client before it has a session.
 *
 * <p>Entry class: {@link io.heddle.core.authentication.Authentication}, called on the client's event loop. Authenticators may
 * block and run on virtual threads with bounded concurrency. Passwords are verified in an order that is fair by address and by
 * name ({@link io.heddle.core.authentication.QueuedPasswordHash}). Fails closed: if an authenticator or store does not answer,
 * the client is refused. What an authenticated client may do is decided elsewhere.
 */
@NullMarked
package io.heddle.core.authentication;

import org.jspecify.annotations.NullMarked;
