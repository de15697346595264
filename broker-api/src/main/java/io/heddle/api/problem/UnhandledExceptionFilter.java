package io.heddle.api.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/** The outermost filter: whatever filters inside it throw becomes a problem, or Tomcat would log it and show its own page. */
public final class UnhandledExceptionFilter extends OncePerRequestFilter {
    private final FaultReports faults;
    private final ProblemWriter writer;

    /** Reports and writes there. */
    public UnhandledExceptionFilter(FaultReports faults, ProblemWriter writer) {
        this.faults = faults;
        this.writer = writer;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (RuntimeException | ServletException fault) {
            if (response.isCommitted()) {
                // Half an answer is out: Tomcat logs this and breaks the connection, so that nobody takes it for a
                // whole one.
                throw fault;
            }
            response.resetBuffer();
            writer.write(response, faults.report(fault));
        }
    }
}
