package io.heddle.api.problem;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the errors of requests that Tomcat rejects before any filter, such as bytes that are not HTTP. Replaces Tomcat's own valve, which
 * writes HTML. Tomcat itself logs none of them.
 */
public final class ProblemValve extends ErrorReportValve {
    private static final Logger log = LoggerFactory.getLogger(ProblemValve.class);

    private static final long LOG_PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

    private final JsonMapper json;
    private final AtomicLong nextLog = new AtomicLong(System.nanoTime());

    public ProblemValve(JsonMapper json) {
        this.json = json;
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        if (request.getMethod() == null) {
            logForeignProtocol(request.getRemoteAddr());
        }
        try {
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            response.setCharacterEncoding("UTF-8");
            Writer body = response.getReporter();
            if (body != null) {
                body.write(json.writeValueAsString(Problem.of(HttpStatusCode.valueOf(status))));
                response.finishResponse();
            }
        } catch (IOException gone) {
            log.debug("HTTP client disconnected before its error was written", gone);
        }
    }

    /** Logs that a client does not speak HTTP, at most once a minute. */
    private void logForeignProtocol(String address) {
        long due = nextLog.get();
        long now = System.nanoTime();
        if (now - due >= 0 && nextLog.compareAndSet(due, now + LOG_PAUSE_NANOS)) {
            log.info(
                    "Connection closed because the client sent no HTTP, such as MQTT or TLS, but this port expects HTTP: use a"
                            + " listener for MQTT in the client: listener=http, address={}",
                    address);
        }
    }
}
