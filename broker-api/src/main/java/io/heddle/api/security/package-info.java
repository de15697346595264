/**
 * Authentication and authorization of administrators (HTTP Basic), their sessions in browsers (cookie) and API keys (Bearer).
 *
 * <p>Entry class: {@link io.heddle.api.security.AccessRules}. Every request except health needs a sign-in, also for unknown addresses; each
 * role may send some requests. {@link io.heddle.api.security.AdministratorAuthentication} checks passwords on the virtual thread of the request,
 * {@link io.heddle.api.security.ApiKeyAuthentication} keys; {@link io.heddle.api.security.SignInGuard} counts the failures of both. {@link
 * io.heddle.api.security.BrowserSessions} has the sessions, which {@link io.heddle.api.security.SignInController} opens.
 * Invariants: a request is never accepted if the store does not respond; an unknown name takes as long as a wrong password; no password and no token
 * is stored. {@link io.heddle.api.security.PageHeaders} has the headers of pages.
 *
 * <p>Cross-site requests: a browser that has signed in once adds its Basic credentials to requests of other sites, too. So every request that
 * may change something must be {@code application/json} or a DELETE ({@link io.heddle.api.security.JsonContentTypeFilter}). A form cannot send
 * that, and a script of another site only after a preflight request, which is rejected. CSRF tokens would need a session or a cookie in every
 * tool. Changes with a session need such a token besides ({@link io.heddle.api.security.SessionCsrf}).
 */
@NullMarked
package io.heddle.api.security;

import org.jspecify.annotations.NullMarked;
