package io.heddle.api.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Protection against cross-site requests: a request with a method other than GET, HEAD or OPTIONS must have the {@code Content-Type} {@code
 * application/json} or one that ends in {@code +json}, even without a body, or {@code text/csv}. A form of another site cannot send them. DELETE
 * needs none, because no form can send it, and a script of another site only after a preflight request, which is rejected. The forms of the
 * console check for themselves who sends them.
 */
final class JsonContentTypeFilter extends OncePerRequestFilter {
    private static final MediaType CSV = new MediaType("text", "csv");
    private static final Set<String> FORMS = Set.of(SignInController.SIGN_IN, SignInController.SIGN_OUT);
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String contentType = request.getContentType();
        boolean isDelete = HttpMethod.DELETE.matches(request.getMethod()) && contentType == null;
        boolean isForm = HttpMethod.POST.matches(request.getMethod()) && FORMS.contains(request.getRequestURI());
        if (READING.contains(request.getMethod()) || isDelete || isForm || isSafe(contentType)) {
            chain.doFilter(request, response);
        } else {
            response.sendError(HttpStatus.UNSUPPORTED_MEDIA_TYPE.value());
        }
    }

    private static boolean isSafe(@Nullable String contentType) {
        if (contentType == null) {
            return false;
        }
        try {
            MediaType type = MediaType.parseMediaType(contentType);
            return (type.getType().equals("application")
                            && (type.getSubtype().equals("json") || "json".equals(type.getSubtypeSuffix())))
                    || type.equalsTypeAndSubtype(CSV);
        } catch (InvalidMediaTypeException notAType) {
            return false;
        }
    }
}
