package io.heddle.api.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/** The outermost filter: reports exceptions of other filters as problems. Without it, Tomcat would log them a second time. */
public final class UnhandledExceptionFilter extends OncePerRequestFilter {
    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (RuntimeException | ServletException fault) {
            if (response.isCommitted()) {
                // A part of the response was sent. Tomcat logs the exception and aborts the connection, so that the
                // client does not take the part for the whole.
                throw fault;
            }
            request.setAttribute(ErrorResponses.PROBLEM, Problem.unexpected(fault));
            response.sendError(HttpStatus.INTERNAL_SERVER_ERROR.value());
        }
    }
}
