package io.heddle.api.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.tomcat.util.http.InvalidParameterException;
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
            Problem problem = problem(fault);
            request.setAttribute(ErrorResponses.PROBLEM, problem);
            response.sendError(problem.status());
        }
    }

    private static Problem problem(Throwable fault) {
        for (Throwable each = fault; each != null; each = each.getCause()) {
            if (each instanceof InvalidParameterException wrong) {
                return Problem.of(RequestProblem.undecodable(wrong));
            }
        }
        return Problem.unexpected(fault);
    }
}
