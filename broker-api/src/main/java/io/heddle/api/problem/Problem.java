package io.heddle.api.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

/**
 * An error as defined by RFC 9457. Not Spring's ProblemDetail, because Spring sets its {@code instance} to the path of the request, and
 * nothing of a request may be returned but the names of its parameters.
 *
 * @param type {@code about:blank}: the status is the only classification
 * @param title the reason phrase of the status
 * @param status the HTTP status code
 * @param detail one sentence for a person: what is wrong and what to do
 * @param errorId the id of the log entry; null if nothing was logged
 * @param errors the wrong values of the request; null if there are none, or if they are not known
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable String errorId,
        @Nullable List<FieldProblem> errors) {
    private static final Logger log = LoggerFactory.getLogger(Problem.class);

    static Problem of(HttpStatusCode status) {
        return of(status, sentence(status), null, null);
    }

    /** @param detail one sentence for a person, without anything of the request */
    static Problem of(HttpStatusCode status, String detail) {
        return of(status, detail, null, null);
    }

    /** @param store the store that has not answered; null if it is not known */
    static Problem unavailable(@Nullable String store) {
        return of(
                HttpStatus.SERVICE_UNAVAILABLE,
                (store == null ? "A store or another node is busy or" : store)
                        + " has not answered in time; retry after the seconds in the Retry-After header.");
    }

    static Problem of(RequestProblem problem) {
        List<FieldProblem> errors = problem.fields();
        return of(problem.status(), problem.sentence(), null, errors.isEmpty() ? null : errors);
    }

    private static Problem of(
            HttpStatusCode status, String detail, @Nullable String errorId, @Nullable List<FieldProblem> errors) {
        HttpStatus known = HttpStatus.resolve(status.value());
        String title = known == null ? "HTTP status " + status.value() : known.getReasonPhrase();
        return new Problem("about:blank", title, status.value(), detail, errorId, errors);
    }

    /** Logs an unexpected exception once, with the id that the problem carries. */
    static Problem unexpected(Throwable fault) {
        String errorId = UUID.randomUUID().toString();
        log.error("Unexpected failure of an HTTP request; errorId={}", errorId, fault);
        return of(HttpStatus.INTERNAL_SERVER_ERROR, sentence(HttpStatus.INTERNAL_SERVER_ERROR), errorId, null);
    }

    private static String sentence(HttpStatusCode status) {
        return switch (status.value()) {
            case 400 -> "The request is malformed; compare it with the description of the REST interface.";
            case 401 ->
                "Sign in with an administrator's user name and password (HTTP Basic), or with an API key that has not expired"
                        + " (Bearer).";
            case 403 ->
                "Your role does not permit this request, or you use an API key where only administrators with a password may.";
            case 404 -> "There is no resource at this address.";
            case 405 ->
                "This address does not support the method of the request; the Allow header lists the supported methods.";
            case 406 -> "This address cannot respond in a format that the Accept header requests.";
            case 413 -> "The request is larger than the broker accepts.";
            case 414 -> "The address of the request is longer than the broker accepts.";
            case 415 ->
                "Send a request that changes something with Content-Type: application/json, even without a body"
                        + " (text/csv for imports).";
            case 429 ->
                "Too many failed attempts to sign in with this name or from this address; retry after the seconds in the"
                        + " Retry-After header.";
            case 431 -> "The headers of the request are larger than the broker accepts.";
            case 500 -> "The request failed unexpectedly; the broker's log has the reason.";
            case 501 -> "The broker does not support the method of the request.";
            case 503 -> "The broker is busy or starting; retry after the seconds in the Retry-After header.";
            default ->
                status.is5xxServerError()
                        ? "The broker cannot process the request now."
                        : "The broker does not accept the request.";
        };
    }
}
