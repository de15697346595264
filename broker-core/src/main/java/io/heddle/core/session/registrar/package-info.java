/**
 * Decides which session a connecting client gets, what becomes of the session when the client leaves, and which subscriptions it has.
 *
 * <p>Enter at {@link io.heddle.core.session.registrar.Registrar}, whose requests and answers are values; {@link
 * io.heddle.core.session.registrar.SessionRegistrar} is the one of this node. One {@link io.heddle.core.session.registrar.OpenRequest}
 * resumes a persistent session, ends it, begins another one, or is refused. The event loop of the client's bucket owns a request.
 * Invariant: a refused request leaves the session as it was before, or removes the session that it has begun. The packages above know
 * connections and packets. The package {@code remote} asks the registrar of another node.
 */
@NullMarked
package io.heddle.core.session.registrar;

import org.jspecify.annotations.NullMarked;
