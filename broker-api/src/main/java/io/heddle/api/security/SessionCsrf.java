package io.heddle.api.security;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.heddle.core.administration.AdminSessionToken;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * Protection of sessions against requests that another site makes a browser send. A request with the cookie and a method other than GET and HEAD
 * must have the header {@value #HEADER} with a token that only pages of the node know. The token follows from that of the session, so that it is
 * the same at all nodes and is stored nowhere.
 *
 * <p>Pages get it from {@link #token}, or from the request attribute {@value #ATTRIBUTE}, and scripts send it with each change. A form for POST
 * {@value SignInController#SIGN_OUT}, which cannot set a header, has it in the field {@value #FIELD}. Scripts without a page read it from the header
 * {@value #HEADER} of {@code GET /api/v1/account}. Requests with HTTP Basic or an API key need none.
 */
public final class SessionCsrf {
    /** The header of requests that change something, with the token. */
    public static final String HEADER = "X-CSRF-Token";

    public static final String FIELD = "csrf";
    /** The request attribute with the token; absent without a session. */
    public static final String ATTRIBUTE = "heddle.csrf";

    private static final String ALGORITHM = "HmacSHA256";

    private SessionCsrf() {}

    /** Returns the token for the pages of this request, or null if the request has not signed in with a session. */
    public static @Nullable String token(HttpServletRequest request) {
        return (String) request.getAttribute(ATTRIBUTE);
    }

    /** Provides the token for the pages of this request. */
    static void attach(HttpServletRequest request, AdminSessionToken session) {
        request.setAttribute(ATTRIBUTE, tokenOf(session));
    }

    static String tokenOf(AdminSessionToken session) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(session.text().getBytes(US_ASCII), ALGORITHM));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(HEADER.getBytes(US_ASCII)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has HmacSHA256", impossible);
        }
    }

    /** Returns whether a request shows the token, in the header or as this field of its form. */
    static boolean isShown(HttpServletRequest request, @Nullable String field, AdminSessionToken session) {
        String shown = field == null ? request.getHeader(HEADER) : field;
        // The time that this takes tells nothing about the token.
        return shown != null
                && MessageDigest.isEqual(
                        shown.getBytes(US_ASCII), tokenOf(session).getBytes(US_ASCII));
    }

    /**
     * Returns whether a page of another site has sent the request, as browsers tell. They send {@code Sec-Fetch-Site} over TLS and on localhost
     * only, and {@code Origin} with each form. Tools send neither.
     */
    public static boolean isFromAnotherSite(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return !site.equals("same-origin") && !site.equals("none");
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        return origin != null && !isHost(origin, request.getHeader(HttpHeaders.HOST));
    }

    /** Without the scheme, which a proxy may have changed. */
    private static boolean isHost(String origin, @Nullable String host) {
        try {
            String authority = new URI(origin).getRawAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (URISyntaxException notAnOrigin) {
            return false;
        }
    }
}
