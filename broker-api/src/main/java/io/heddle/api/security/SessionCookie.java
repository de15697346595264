package io.heddle.api.security;

import io.heddle.core.administration.AdminSessionToken;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseCookie;

/**
 * The cookie with the token of a session. With TLS it has a name that browsers accept from this host and with TLS only, and no other cookie
 * counts then.
 *
 * <p>SameSite is Lax, so that links in alerts and chats open a page of those who have signed in. A browser sends the cookie with such a link,
 * which is a GET and changes nothing, and with no other request of another site. A trace, which takes a place of the node, is refused then.
 */
final class SessionCookie {
    private static final String NAME = "heddle-session";
    private static final String SECURE_NAME = "__Host-heddle-session";

    private SessionCookie() {}

    /** Returns whether the request has the cookie, whatever its value. */
    static boolean isIn(HttpServletRequest request) {
        return text(request) != null;
    }

    /** Returns the token, or null if the request has no cookie with a token. */
    static @Nullable AdminSessionToken token(HttpServletRequest request) {
        String text = text(request);
        return text == null ? null : AdminSessionToken.parse(text);
    }

    private static @Nullable String text(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        if (cookies != null) {
            String name = name(request);
            for (Cookie cookie : cookies) {
                if (name.equals(cookie.getName())) {
                    return cookie.getValue();
                }
            }
        }
        return null;
    }

    private static String name(HttpServletRequest request) {
        return request.isSecure() ? SECURE_NAME : NAME;
    }

    /** Returns the header that stores the token until the browser ends. */
    static String of(AdminSessionToken token, HttpServletRequest request) {
        return cookie(token.text(), request).build().toString();
    }

    /** Returns the header that removes the cookie. */
    static String none(HttpServletRequest request) {
        return cookie("", request).maxAge(Duration.ZERO).build().toString();
    }

    private static ResponseCookie.ResponseCookieBuilder cookie(String value, HttpServletRequest request) {
        return ResponseCookie.from(name(request), value)
                .path("/")
                .secure(request.isSecure())
                .httpOnly(true)
                .sameSite("Lax");
    }
}
