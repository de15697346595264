package io.heddle.api.security;

import io.heddle.api.problem.ErrorResponses;
import io.heddle.core.StoreUnavailableException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.CredentialsExpiredException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.security.web.firewall.RequestRejectedHandler;

/** Status and headers of requests that the security filters reject. */
public final class SecurityProblems implements AuthenticationEntryPoint, AccessDeniedHandler, RequestRejectedHandler {
    /** The page for persons whose sign-in cannot be checked now. */
    public static final String UNAVAILABLE = "/unavailable";

    private static final Logger log = LoggerFactory.getLogger(SecurityProblems.class);
    private static final String BASIC = "Basic realm=\"heddle\", charset=\"UTF-8\"";
    private static final String BEARER = "Bearer realm=\"heddle\"";
    private static final String UNCHECKED = SecurityProblems.class.getName() + ".unchecked";
    private static final String RETRY_AFTER_SECONDS = "5";
    private static final Set<String> READING = Set.of("GET", "HEAD");
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE");

    /** Returns why the sign-in of a request that was forwarded to {@link #UNAVAILABLE} could not be checked; null for other requests. */
    public static @Nullable AuthenticationException unchecked(HttpServletRequest request) {
        return (AuthenticationException) request.getAttribute(UNCHECKED);
    }

    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
            throws IOException, ServletException {
        switch (Objects.requireNonNullElse(SessionFilter.failure(request), failure)) {
            case SignInLimitedException limited -> {
                response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(limited.retryAfterSeconds()));
                response.sendError(HttpStatus.TOO_MANY_REQUESTS.value());
            }
            case AuthenticationServiceException unavailable -> {
                log.debug("Cannot check a password or API key; the HTTP request is rejected", unavailable);
                response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
                if (isReadByPerson(request) && request.getAttribute(UNCHECKED) == null) {
                    response.setHeader("Refresh", RETRY_AFTER_SECONDS);
                    request.setAttribute(UNCHECKED, unavailable);
                    request.getRequestDispatcher(UNAVAILABLE).forward(request, response);
                    return;
                }
                if (unavailable.getCause() instanceof StoreUnavailableException store) {
                    ErrorResponses.nameStore(request, store.store());
                }
                response.sendError(HttpStatus.SERVICE_UNAVAILABLE.value());
            }
            case CredentialsExpiredException _ -> {
                ErrorResponses.explain(request, HttpStatus.UNAUTHORIZED, "Your session has ended; sign in again.");
                requestSignIn(request, response);
            }
            default -> requestSignIn(request, response);
        }
    }

    private static void requestSignIn(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (isReadByPerson(request)) {
            response.setStatus(HttpStatus.FOUND.value());
            // Not with sendRedirect, which would add the scheme and host that a proxy may have changed.
            response.setHeader(HttpHeaders.LOCATION, SignInController.before(request));
            return;
        }
        // A browser shows a dialog for Basic, instead of leaving the answer to the page that has sent the request.
        if (!SessionCookie.isIn(request) && !isFromScript(request)) {
            response.addHeader(HttpHeaders.WWW_AUTHENTICATE, BASIC);
        }
        response.addHeader(HttpHeaders.WWW_AUTHENTICATE, BEARER);
        response.sendError(HttpStatus.UNAUTHORIZED.value());
    }

    /** Returns whether a browser requests a page to show, without a wrong password or key. */
    private static boolean isReadByPerson(HttpServletRequest request) {
        String accepted = request.getHeader(HttpHeaders.ACCEPT);
        return READING.contains(request.getMethod())
                && PageHeaders.isPage(request)
                && accepted != null
                && accepted.contains(MediaType.TEXT_HTML_VALUE)
                && request.getHeader(HttpHeaders.AUTHORIZATION) == null
                && !isFromScript(request);
    }

    private static boolean isFromScript(HttpServletRequest request) {
        return request.getHeader("X-Requested-With") != null;
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied)
            throws IOException {
        response.sendError(HttpStatus.FORBIDDEN.value());
    }

    /**
     * Rejects methods that this interface does not have, and addresses that only attackers use, such as {@code //}, {@code ..} and encoded
     * slashes.
     */
    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, RequestRejectedException rejected)
            throws IOException {
        boolean isKnown = METHODS.contains(request.getMethod());
        response.sendError((isKnown ? HttpStatus.BAD_REQUEST : HttpStatus.NOT_IMPLEMENTED).value());
    }
}
