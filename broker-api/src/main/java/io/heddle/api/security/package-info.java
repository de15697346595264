/**
 * Authentication and authorization of administrators (HTTP Basic) and API keys (Bearer).
 *
 * <p>Entry class: {@link io.heddle.api.security.AccessRules}. Every request except health needs a sign-in, also for unknown addresses; each
 * role may send some requests. {@link io.heddle.api.security.AdministratorAuthentication} checks passwords on the virtual thread of the request,
 * {@link io.heddle.api.security.ApiKeyAuthentication} keys; {@link io.heddle.api.security.SignInGuard} counts the failures of both.
 * Invariants: a request is never accepted if the store does not respond; an unknown name takes as long as a wrong password; no session, cookie
 * or password is stored.
 *
 * <p>Cross-site requests: a browser that has signed in once adds its Basic credentials to requests of other sites, too. So every request that
 * may change something must be {@code application/json} or a DELETE ({@link io.heddle.api.security.JsonContentTypeFilter}). A form cannot send
 * that, and a script of another site only after a preflight request, which is rejected. CSRF tokens would need a session or a cookie in every tool.
 */
@NullMarked
package io.heddle.api.security;

import org.jspecify.annotations.NullMarked;
