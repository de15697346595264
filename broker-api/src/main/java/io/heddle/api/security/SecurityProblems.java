package io.heddle.api.security;

import io.heddle.api.problem.Problem;
import io.heddle.api.problem.ProblemWriter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.security.web.firewall.RequestRejectedHandler;

/** What the security filters refuse, as problems. */
public final class SecurityProblems implements AuthenticationEntryPoint, AccessDeniedHandler, RequestRejectedHandler {
    private static final Logger log = LoggerFactory.getLogger(SecurityProblems.class);
    private static final String CHALLENGE = "Basic realm=\"heddle\", charset=\"UTF-8\"";
    private static final String RETRY_AFTER_SECONDS = "5";

    private final ProblemWriter writer;

    /** Writes there. */
    public SecurityProblems(ProblemWriter writer) {
        this.writer = writer;
    }

    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
            throws IOException {
        switch (failure) {
            case SignInLimitedException limited -> {
                response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(limited.retryAfterSeconds()));
                writer.write(
                        response,
                        Problem.of(
                                HttpStatus.TOO_MANY_REQUESTS,
                                "Too many failed attempts to sign in with this user name or from this address; try again"
                                        + " after the seconds in the Retry-After header."));
            }
            case AuthenticationServiceException unavailable -> {
                log.debug("Nobody can sign in", unavailable);
                response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
                writer.write(
                        response,
                        Problem.of(
                                HttpStatus.SERVICE_UNAVAILABLE,
                                "The broker cannot check user names and passwords right now; try again shortly."));
            }
            default -> {
                response.setHeader(HttpHeaders.WWW_AUTHENTICATE, CHALLENGE);
                writer.write(response, Problem.of(HttpStatus.UNAUTHORIZED));
            }
        }
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied)
            throws IOException {
        writer.write(response, Problem.of(HttpStatus.FORBIDDEN));
    }

    /** Addresses and methods that have no honest use, such as {@code //}, {@code ..} and encoded slashes. */
    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, RequestRejectedException rejected)
            throws IOException {
        writer.write(response, Problem.of(HttpStatus.BAD_REQUEST));
    }
}
