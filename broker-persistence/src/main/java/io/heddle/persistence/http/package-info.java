/**
 * Authentication by a service, which is asked over HTTP about each CONNECT, and the web client that methods of authentication share.
 *
 * <p>Entry class: {@link io.heddle.persistence.http.HttpAuthenticator}, called on virtual threads. Invariants: a value of a client is only
 * data in a request, never a part of its form; no answer, or one that is not understood, is never a yes; no password is stored. Core bounds
 * the clients that wait, and disconnects those whose time is over.
 */
@NullMarked
package io.heddle.persistence.http;

import org.jspecify.annotations.NullMarked;
