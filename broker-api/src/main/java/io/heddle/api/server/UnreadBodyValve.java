package io.heddle.api.server;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/**
 * Closes the connection of a refused request instead of reading the rest of its body. Tomcat would read on, and a client that sends a byte of
 * a chunk's header now and then would hold the connection for hours. Requests that read and have a body are refused, too: nobody needs to sign
 * in for some of them. Thread-safe.
 */
final class UnreadBodyValve extends ValveBase {
    private static final Set<String> READING = Set.of("GET", "HEAD");

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (READING.contains(String.valueOf(request.getMethod())) && hasUnreadBody(request)) {
            response.sendError(HttpStatus.BAD_REQUEST.value());
        } else {
            getNext().invoke(request, response);
        }
        if (response.getStatus() >= HttpStatus.BAD_REQUEST.value() && hasUnreadBody(request)) {
            closeAfter(request, response);
        }
    }

    static boolean hasUnreadBody(Request request) {
        AtomicBoolean isRead = new AtomicBoolean();
        request.getCoyoteRequest().action(ActionCode.REQUEST_BODY_FULLY_READ, isRead);
        return !isRead.get();
    }

    /** Closes the connection after the response, without reading from it. */
    static void closeAfter(Request request, Response response) {
        boolean isReported = !response.isErrorReportRequired();
        response.setHeader(HttpHeaders.CONNECTION, "close");
        request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        if (isReported) {
            // The action asks for an error report, but the response has its body already.
            response.setErrorReported();
        }
    }
}
