package io.heddle.api.security;

import io.heddle.api.problem.ErrorResponses;
import io.heddle.core.administration.AdminSessionToken;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.CredentialsExpiredException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Signs requests in that have the cookie of a session. Refuses those that change something without the token of {@link SessionCsrf}. A request
 * with another way to sign in is left to that one. One whose session has ended goes on without a sign-in, because some addresses need none.
 */
final class SessionFilter extends OncePerRequestFilter {
    /** The detail of the problem of a request without the token. */
    static final String NO_TOKEN = "A request with a session that changes something needs the header "
            + SessionCsrf.HEADER + " with the token of the session; reload the page and try again.";

    private static final String FAILURE = SessionFilter.class.getName();
    private static final Set<String> READING = Set.of("GET", "HEAD");

    private final BrowserSessions sessions;
    private final SignInMetrics metrics;
    private final RequestMatcher unneeded;
    private final RequestAttributeSecurityContextRepository contexts = new RequestAttributeSecurityContextRepository();

    /** @param unneeded matches requests whose answer does not depend on the sign-in */
    SessionFilter(BrowserSessions sessions, SignInMetrics metrics, RequestMatcher unneeded) {
        this.sessions = sessions;
        this.metrics = metrics;
        this.unneeded = unneeded;
    }

    /** Returns why a request with a cookie has not signed in, or null. */
    static @Nullable AuthenticationException failure(HttpServletRequest request) {
        return (AuthenticationException) request.getAttribute(FAILURE);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        AdminSessionToken token =
                request.getHeader(HttpHeaders.AUTHORIZATION) == null ? SessionCookie.token(request) : null;
        if (token != null && !unneeded.matches(request)) {
            if (!READING.contains(request.getMethod()) && !SessionCsrf.isShown(request, null, token)) {
                metrics.noCsrfToken.increment();
                ErrorResponses.explain(request, HttpStatus.FORBIDDEN, NO_TOKEN);
                response.sendError(HttpStatus.FORBIDDEN.value());
                return;
            }
            signIn(token, request, response);
        }
        chain.doFilter(request, response);
    }

    private void signIn(AdminSessionToken token, HttpServletRequest request, HttpServletResponse response) {
        try {
            Authentication found = sessions.find(
                    token, request.getRemoteAddr(), RequestDetails.of(request).isForMetrics());
            if (found == null) {
                request.setAttribute(FAILURE, new CredentialsExpiredException("the session has ended"));
                return;
            }
            SecurityContext context = SecurityContextHolder.createEmptyContext();
            context.setAuthentication(found);
            SecurityContextHolder.setContext(context);
            contexts.saveContext(context, request, response);
            SessionCsrf.attach(request, token);
        } catch (AuthenticationException unavailable) {
            request.setAttribute(FAILURE, unavailable);
        }
    }
}
