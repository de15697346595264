package io.heddle.api.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.security.web.header.HeaderWriter;

/**
 * The Content-Security-Policy and Referrer-Policy of all answers. Pages load scripts, styles, fonts and data from the node only, and have no inline
 * scripts and styles; all other answers load nothing. A controller may set a policy of its own, made with {@link #policy}.
 */
public final class PageHeaders implements HeaderWriter {
    /** The name of the header with the policy. */
    public static final String POLICY = "Content-Security-Policy";

    private static final String REFERRER_POLICY = "Referrer-Policy";
    private static final String PAGE = policy("'self'");
    private static final String OTHER = "default-src 'none'; img-src 'self'; frame-ancestors 'none'";

    /**
     * Returns the policy of a page that connects to these sources.
     *
     * @param connections the value of {@code connect-src}
     */
    public static String policy(String connections) {
        return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src "
                + connections + "; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
    }

    /** Returns whether the address is one of a page, or of a file of a page. */
    static boolean isPage(HttpServletRequest request) {
        String path = request.getRequestURI();
        return !isBelow(path, "/api") && !isBelow(path, "/actuator");
    }

    private static boolean isBelow(String path, String parent) {
        return path.startsWith(parent) && (path.length() == parent.length() || path.charAt(parent.length()) == '/');
    }

    @Override
    public void writeHeaders(HttpServletRequest request, HttpServletResponse response) {
        boolean isPage = isPage(request);
        if (!response.containsHeader(POLICY)) {
            response.setHeader(POLICY, isPage ? PAGE : OTHER);
        }
        // With no-referrer, browsers would hide the origin of forms, which the sign-in needs.
        response.setHeader(REFERRER_POLICY, isPage ? "same-origin" : "no-referrer");
    }
}
