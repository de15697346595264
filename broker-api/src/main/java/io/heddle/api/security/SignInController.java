package io.heddle.api.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.api.problem.RequestProblem;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AdminSessionToken;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.authentication.fairness.SignInBusyException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Opens and ends the session of a browser, for forms. The form of the sign-in has the fields {@code userName}, {@code password} and {@code next},
 * the local address of the page to show then. After a failure, the browser gets the page at {@value #SIGN_IN} with the parameter {@code error}
 * (wrong, locked, busy or unavailable) and {@code next} again. {@link SessionCsrf} tells what the form for {@value #SIGN_OUT} has.
 */
@RestController
public final class SignInController {
    /** The address of the page for the sign-in, and of its form. */
    public static final String SIGN_IN = "/sign-in";
    /** The address of the form that ends a session. */
    public static final String SIGN_OUT = "/sign-out";

    private static final String START = "/";
    private static final int MAX_ADDRESS_LENGTH = 2_048;

    private final AuthenticationManager signIn;
    private final BrowserSessions sessions;
    private final SignInMetrics metrics;

    public SignInController(AuthenticationManager signIn, BrowserSessions sessions, SignInGuard guard) {
        this.signIn = signIn;
        this.sessions = sessions;
        this.metrics = guard.metrics();
    }

    @PostMapping(path = SIGN_IN, consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    ResponseEntity<Void> signIn(HttpServletRequest request) throws IOException {
        if (SessionCsrf.isFromAnotherSite(request)) {
            metrics.crossSite.increment();
            throw RequestProblem.forbidden("A page of another site has sent this form; open the page of the sign-in.");
        }
        FormBody form = FormBody.read(request);
        String next = local(form.get("next"));
        UsernamePasswordAuthenticationToken shown =
                UsernamePasswordAuthenticationToken.unauthenticated(form.get("userName"), form.get("password"));
        shown.setDetails(RequestDetails.of(request));
        try {
            Authentication accepted = signIn.authenticate(shown);
            if (!(accepted.getDetails() instanceof AdminUser user)) {
                throw new IllegalStateException("a sign-in without an administrator");
            }
            endPrevious(request);
            AdminSessionToken token = sessions.open(user, request.getRemoteAddr());
            return seeOther(next)
                    .header(HttpHeaders.SET_COOKIE, SessionCookie.of(token, request))
                    .build();
        } catch (AuthenticationException failure) {
            return seeOther(address(error(failure), next)).build();
        } catch (StoreUnavailableException away) {
            metrics.unavailable.increment();
            return seeOther(address("unavailable", next)).build();
        }
    }

    /** The browser forgets the token of its previous session. */
    private void endPrevious(HttpServletRequest request) {
        AdminSessionToken previous = SessionCookie.token(request);
        if (previous != null) {
            sessions.end(previous);
        }
    }

    private static String error(AuthenticationException failure) {
        return switch (failure) {
            case SignInLimitedException _ -> "locked";
            case AuthenticationServiceException busy when busy.getCause() instanceof SignInBusyException -> "busy";
            case AuthenticationServiceException _ -> "unavailable";
            default -> "wrong";
        };
    }

    @PostMapping(path = SIGN_OUT, consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    ResponseEntity<Void> signOut(HttpServletRequest request) throws IOException {
        AdminSessionToken token = SessionCookie.token(request);
        if (token != null) {
            if (!SessionCsrf.isShown(request, FormBody.read(request).find(SessionCsrf.FIELD), token)) {
                metrics.noCsrfToken.increment();
                throw RequestProblem.forbidden(SessionFilter.NO_TOKEN);
            }
            sessions.end(token);
        }
        return seeOther(SIGN_IN)
                .header(HttpHeaders.SET_COOKIE, SessionCookie.none(request))
                .build();
    }

    private static ResponseEntity.HeadersBuilder<?> seeOther(String address) {
        return ResponseEntity.status(HttpStatus.SEE_OTHER).header(HttpHeaders.LOCATION, address);
    }

    /** Returns the address of the sign-in for a page that needs one. */
    static String before(HttpServletRequest page) {
        String query = page.getQueryString();
        return address(null, local(page.getRequestURI() + (query == null ? "" : "?" + query)));
    }

    private static String address(@Nullable String error, String next) {
        String shown = error == null ? "" : "error=" + error;
        if (!next.equals(START)) {
            shown += (shown.isEmpty() ? "" : "&") + "next=" + URLEncoder.encode(next, UTF_8);
        }
        return shown.isEmpty() ? SIGN_IN : SIGN_IN + "?" + shown;
    }

    /** Returns the address if it is one of this node, otherwise that of the start page. */
    static String local(String address) {
        try {
            // Browsers take backslashes for slashes, and leave tabs and ends of lines out.
            boolean isLocal = address.startsWith("/")
                    && !address.startsWith("//")
                    && address.indexOf('\\') < 0
                    && address.length() <= MAX_ADDRESS_LENGTH
                    && address.chars().allMatch(each -> each > ' ' && each <= '~')
                    && new URI(address).getRawAuthority() == null;
            return isLocal ? address : START;
        } catch (URISyntaxException notAnAddress) {
            return START;
        }
    }
}
