package io.heddle.api.server;

import io.heddle.api.problem.RequestProblem;
import io.heddle.api.security.SignInController;
import io.heddle.core.authorization.RuleSet;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses bodies that are larger than their resource needs with status 413: at once if the request tells the size, otherwise when too many bytes
 * were read. Refuses those that arrive too slowly with 408. Runs after the sign-in, so that only administrators learn the limits, except for
 * that of the forms. Thread-safe.
 */
public final class BodyLimitFilter extends OncePerRequestFilter {
    private static final String PUBLISH = "/api/v1/publish";
    private static final String IMPORT = "/api/v1/credentials/import";
    private static final String RULES = "/api/v1/rules";
    private static final String RULES_TEST = "/api/v1/rules/test";
    private static final String RULES_DRY_RUN = "/api/v1/rules/dry-run";
    private static final long IMPORT_BYTES = 64L << 20;
    /** In JSON, quotation marks and ends of lines have two characters. */
    private static final long RULES_BYTES = 2 * RuleSet.MAXIMUM_BYTES;
    /** Forms arrive before the sign-in. */
    private static final long FORM_BYTES = 16L << 10;
    /** Enough for the longest password and names of credentials. */
    private static final long OTHER_BYTES = 256L << 10;

    private final long publishBytes;
    private final long timeoutNanos;

    /**
     * @param maximumPacketSize of a message, in bytes
     * @param timeout maximum time in which a body is awaited
     */
    public BodyLimitFilter(int maximumPacketSize, Duration timeout) {
        this.timeoutNanos = timeout.toNanos();
        // Base64 has four characters for three bytes.
        this.publishBytes = maximumPacketSize / 3 * 4L + OTHER_BYTES;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long limit = switch (request.getRequestURI()) {
            case PUBLISH -> publishBytes;
            case IMPORT -> IMPORT_BYTES;
            case SignInController.SIGN_IN, SignInController.SIGN_OUT -> FORM_BYTES;
            case RULES, RULES_TEST, RULES_DRY_RUN -> RULES_BYTES;
            default -> OTHER_BYTES;
        };
        if (request.getContentLengthLong() > limit) {
            response.sendError(HttpStatus.CONTENT_TOO_LARGE.value());
        } else {
            chain.doFilter(new Limited(request, limit, timeoutNanos), response);
        }
    }

    private static final class Limited extends HttpServletRequestWrapper {
        private final long limit;
        private final long timeoutNanos;

        Limited(HttpServletRequest request, long limit, long timeoutNanos) {
            super(request);
            this.limit = limit;
            this.timeoutNanos = timeoutNanos;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return new LimitedStream(super.getInputStream(), limit, timeoutNanos);
        }

        @Override
        public BufferedReader getReader() throws IOException {
            return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
        }
    }

    private static final class LimitedStream extends ServletInputStream {
        private final ServletInputStream body;
        private final long timeoutNanos;
        /** Time in which the body was awaited, without that in which the request was processed meanwhile. */
        private long waitedNanos;

        private long remaining;

        LimitedStream(ServletInputStream body, long limit, long timeoutNanos) {
            this.body = body;
            this.remaining = limit;
            this.timeoutNanos = timeoutNanos;
        }

        @Override
        public int read() throws IOException {
            long start = System.nanoTime();
            int read = body.read();
            count(read < 0 ? read : 1, System.nanoTime() - start);
            return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            long start = System.nanoTime();
            int read = body.read(bytes, offset, length);
            count(read, System.nanoTime() - start);
            return read;
        }

        private void count(int read, long nanos) {
            remaining -= Math.max(read, 0);
            waitedNanos += nanos;
            if (remaining < 0) {
                throw RequestProblem.tooLarge();
            }
            if (read >= 0 && waitedNanos > timeoutNanos) {
                throw RequestProblem.tooSlow();
            }
        }

        @Override
        public boolean isFinished() {
            return body.isFinished();
        }

        @Override
        public boolean isReady() {
            return body.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            body.setReadListener(listener);
        }
    }
}
