package io.heddle.api.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.operator.trace.TraceEvent;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.accept.HeaderContentNegotiationStrategy;
import org.springframework.web.context.request.ServletWebRequest;
import tools.jackson.databind.json.JsonMapper;

/** Writes the events of a trace to a response, each as JSON in one line. One thread, which blocks while the administrator does not read. */
final class EventStream {
    /** The format of the response. */
    enum Format {
        SERVER_SENT_EVENTS(MediaType.TEXT_EVENT_STREAM_VALUE, "data: ", "\n\n", ":\n\n"),
        JSON_LINES(MediaType.APPLICATION_NDJSON_VALUE, "", "\n", "\n");

        private final String type;
        private final String before;
        private final String after;
        private final String nothing;

        Format(String type, String before, String after, String nothing) {
            this.type = type;
            this.before = before;
            this.after = after;
            this.nothing = nothing;
        }

        static Format of(ServletWebRequest request) throws HttpMediaTypeNotAcceptableException {
            for (MediaType wanted : new HeaderContentNegotiationStrategy().resolveMediaTypes(request)) {
                for (Format each : values()) {
                    if (wanted.includes(MediaType.parseMediaType(each.type))) {
                        return each;
                    }
                }
            }
            return SERVER_SENT_EVENTS;
        }
    }

    private final Format format;
    private final JsonMapper json;
    private final OutputStream out;

    EventStream(Format format, JsonMapper json, HttpServletResponse response) throws IOException {
        this.format = format;
        this.json = json;
        response.setContentType(format.type);
        // Otherwise nginx, as a proxy, would gather events.
        response.setHeader("X-Accel-Buffering", "no");
        this.out = response.getOutputStream();
    }

    void write(List<TraceEvent> events) throws IOException {
        for (TraceEvent each : events) {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("time", Instant.ofEpochMilli(each.millis()));
            values.putAll(each.values());
            out.write((format.before + json.writeValueAsString(values) + format.after).getBytes(UTF_8));
        }
        out.flush();
    }

    /** Writes something without a meaning, which fails if the connection is closed. */
    void writeNothing() throws IOException {
        out.write(format.nothing.getBytes(UTF_8));
        out.flush();
    }
}
