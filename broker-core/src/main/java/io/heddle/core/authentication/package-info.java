/**
 * Is it you? Decides who a connecting client is, before it has a session.
 *
 * <p>Entry class: {@link io.heddle.core.authentication.Authentication}, called on the client's event loop; the authenticators
 * it asks may block and run on virtual threads, a bounded number at once. Passwords are checked in turns that are fair by address
 * and by name ({@link io.heddle.core.authentication.QueuedPasswordHash}). Whatever cannot be decided is a refusal: an
 * authenticator or store that does not answer never lets anybody in. What a client may do afterwards is not decided here.
 */
@NullMarked
package io.heddle.core.authentication;

import org.jspecify.annotations.NullMarked;
