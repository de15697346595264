package io.heddle.api.security;

import io.heddle.api.problem.Problem;
import io.heddle.api.problem.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets only JSON change anything: a request of another method than GET, HEAD or OPTIONS must say {@code Content-Type:
 * application/json} or a type that ends in {@code +json}, also when it has no body. Another site's form cannot say that.
 */
final class JsonContentTypeFilter extends OncePerRequestFilter {
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private final ProblemWriter writer;

    JsonContentTypeFilter(ProblemWriter writer) {
        this.writer = writer;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (READING.contains(request.getMethod()) || isJson(request.getContentType())) {
            chain.doFilter(request, response);
        } else {
            writer.write(
                    response,
                    Problem.of(
                            HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                            "Send what changes something with Content-Type: application/json, also without a body."));
        }
    }

    private static boolean isJson(@Nullable String contentType) {
        if (contentType == null) {
            return false;
        }
        try {
            MediaType type = MediaType.parseMediaType(contentType);
            return type.getType().equals("application")
                    && (type.getSubtype().equals("json") || "json".equals(type.getSubtypeSuffix()));
        } catch (InvalidMediaTypeException notAType) {
            return false;
        }
    }
}
