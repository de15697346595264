package io.heddle.api.security;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/** The address of a request that signs in, and whether it reads metrics. Immutable. */
final class RequestDetails extends WebAuthenticationDetails {
    private static final long serialVersionUID = 1L;
    private static final String METRICS = "/actuator/prometheus";

    private final boolean isForMetrics;

    RequestDetails(String address, boolean isForMetrics) {
        super(address, null);
        this.isForMetrics = isForMetrics;
    }

    static RequestDetails of(HttpServletRequest request) {
        return new RequestDetails(
                request.getRemoteAddr(),
                HttpMethod.GET.matches(request.getMethod()) && METRICS.equals(request.getRequestURI()));
    }

    /** Returns whether the request reads the metrics of this node, for which no store is needed. */
    boolean isForMetrics() {
        return isForMetrics;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other) && other instanceof RequestDetails details && details.isForMetrics == isForMetrics;
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + Boolean.hashCode(isForMetrics);
    }
}
