package io.heddle.api.problem;

import java.util.List;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.http.HttpStatus;

/**
 * Ends a request with a problem that the administrator can correct. Has no stack trace, because it is an expected outcome and not logged.
 * Its message is the detail of the problem: one sentence without secrets.
 */
public final class RequestProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final boolean isOutcomeUnknown;
    private final transient List<FieldProblem> fields;

    private RequestProblem(HttpStatus status, String sentence, List<FieldProblem> fields) {
        this(status, sentence, fields, false);
    }

    private RequestProblem(HttpStatus status, String sentence, List<FieldProblem> fields, boolean isOutcomeUnknown) {
        super(sentence, null, false, false);
        this.status = status;
        this.isOutcomeUnknown = isOutcomeUnknown;
        this.fields = List.copyOf(fields);
    }

    /** Returns the problem of a request that has wrong values. */
    public static RequestProblem invalid(List<FieldProblem> fields) {
        return new RequestProblem(
                HttpStatus.BAD_REQUEST, "The request has wrong values; the list of errors names them.", fields);
    }

    public static RequestProblem invalid(String field, String message) {
        return invalid(List.of(new FieldProblem(field, message)));
    }

    /** Returns the problem of a request that cannot be read, which has no field that could be named. */
    public static RequestProblem malformed(String sentence) {
        return new RequestProblem(HttpStatus.BAD_REQUEST, sentence, List.of());
    }

    /** Returns the problem of a request whose parameters Tomcat cannot decode, or not within its limits. */
    static RequestProblem undecodable(InvalidParameterException wrong) {
        return wrong.getErrorCode() == HttpStatus.CONTENT_TOO_LARGE.value()
                ? tooLarge()
                : malformed("The query of the address is not valid percent-encoded UTF-8.");
    }

    /** Returns the problem of a request whose body is larger than its resource accepts. */
    public static RequestProblem tooLarge() {
        return new RequestProblem(
                HttpStatus.CONTENT_TOO_LARGE, "The request is larger than the broker accepts.", List.of());
    }

    /** Returns the problem of a request whose body has not arrived in time. */
    public static RequestProblem tooSlow() {
        return new RequestProblem(
                HttpStatus.REQUEST_TIMEOUT,
                "The body has not arrived within heddle.http.body-timeout; send it faster, or in several requests.",
                List.of());
    }

    /** Returns the problem of a request that its sender may not send. */
    public static RequestProblem forbidden(String sentence) {
        return new RequestProblem(HttpStatus.FORBIDDEN, sentence, List.of());
    }

    /** Returns the problem of a request for an object that does not exist. */
    public static RequestProblem notFound(String sentence) {
        return new RequestProblem(HttpStatus.NOT_FOUND, sentence, List.of());
    }

    /** Returns the problem of a request that the present state does not allow. */
    public static RequestProblem conflict(String sentence) {
        return new RequestProblem(HttpStatus.CONFLICT, sentence, List.of());
    }

    /** Returns the problem of a request whose body has another format than the address expects. */
    public static RequestProblem unsupportedContent(String sentence) {
        return new RequestProblem(HttpStatus.UNSUPPORTED_MEDIA_TYPE, sentence, List.of());
    }

    /** Returns the problem of a request after too many failed ones. */
    public static RequestProblem limited(String sentence) {
        return new RequestProblem(HttpStatus.TOO_MANY_REQUESTS, sentence, List.of());
    }

    /** Returns the problem of a request that the broker cannot serve now. */
    public static RequestProblem unavailable(String sentence) {
        return new RequestProblem(HttpStatus.SERVICE_UNAVAILABLE, sentence, List.of());
    }

    /** Returns the problem of a request that may have made its change: a node or a store has not answered. */
    public static RequestProblem unknownOutcome(String sentence) {
        return new RequestProblem(HttpStatus.SERVICE_UNAVAILABLE, sentence, List.of(), true);
    }

    /** Returns the problem of a change whose If-Match does not name the present version of the object. */
    public static RequestProblem changedMeanwhile() {
        return new RequestProblem(
                HttpStatus.PRECONDITION_FAILED,
                "The object has changed since it was read; read it again and repeat the change with its new ETag.",
                List.of());
    }

    public HttpStatus status() {
        return status;
    }

    /** Returns whether a change may have been made in spite of the problem. */
    public boolean isOutcomeUnknown() {
        return isOutcomeUnknown;
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }

    List<FieldProblem> fields() {
        return fields;
    }
}
