package io.heddle.api.problem;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/** Writes problems where Spring MVC does not do it for us: in filters. Thread-safe. */
public final class ProblemWriter {
    private final JsonMapper json;

    /** Writes with this mapper. */
    public ProblemWriter(JsonMapper json) {
        this.json = json;
    }

    /** Makes a problem the whole answer: its status and body. Headers set before stay. */
    public void write(HttpServletResponse response, Problem problem) throws IOException {
        byte[] body = json(problem).getBytes(UTF_8);
        response.setStatus(problem.status());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    String json(Problem problem) {
        return json.writeValueAsString(problem);
    }
}
