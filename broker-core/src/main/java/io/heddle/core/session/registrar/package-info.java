/**
 * Decides which session a connecting client gets, and what becomes of the session when the client leaves.
 *
 * <p>Enter at {@link io.heddle.core.session.registrar.SessionRegistrar}: one request resumes a persistent session, ends it, begins another
 * one, or is refused. The event loop of the client's bucket owns a request. Invariant: a refused request leaves the session as it was
 * before, or removes the session that it has begun. The packages above know connections and CONNACK; this package only knows the {@link
 * io.heddle.core.session.registrar.OpenRequest} with its {@link io.heddle.core.session.registrar.OpenOutcome}, and the {@link
 * io.heddle.core.session.registrar.Departure}.
 */
@NullMarked
package io.heddle.core.session.registrar;

import org.jspecify.annotations.NullMarked;
