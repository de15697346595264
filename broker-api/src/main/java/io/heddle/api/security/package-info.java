/**
 * Who may administer over HTTP: HTTP Basic against core's administrators.
 *
 * <p>Entry class: {@link io.heddle.api.security.AccessRules}: everything but health needs signing in, unknown addresses too, and
 * who only views may only GET. {@link io.heddle.api.security.AdministratorAuthentication} checks passwords, on the request's
 * virtual thread. Invariants: a store that does not answer is never a yes; an unknown name costs what a wrong password costs;
 * no session, no cookie, no password kept.
 *
 * <p>Cross-site requests: a browser that once signed in attaches Basic credentials also to what another site's page sends. So
 * everything that may change something must be {@code application/json} ({@link io.heddle.api.security.JsonContentTypeFilter}), which a
 * form cannot send and a script of another site only after a preflight, which we refuse. Chosen over CSRF tokens because
 * those need a session or cookie and burden every tool.
 */
@NullMarked
package io.heddle.api.security;

import org.jspecify.annotations.NullMarked;
