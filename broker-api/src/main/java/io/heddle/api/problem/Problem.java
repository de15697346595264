package io.heddle.api.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

/**
 * An error as RFC 9457 wants it. There is no {@code instance}: it would repeat the request's path.
 *
 * @param type {@code about:blank}: the status says it all
 * @param title the status in words
 * @param status the HTTP status code
 * @param detail one sentence for a person: what is wrong and what to do
 * @param errorId where to look in the log; null when nothing was logged
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable String errorId) {
    private static final String BLANK = "about:blank";

    /** A problem with a sentence of its own. The sentence is shown as it is: nothing of the request belongs in it. */
    public static Problem of(HttpStatus status, String detail) {
        return new Problem(BLANK, status.getReasonPhrase(), status.value(), detail, null);
    }

    /** A problem with the sentence that fits its status. */
    public static Problem of(HttpStatusCode status) {
        HttpStatus known = HttpStatus.resolve(status.value());
        if (known == null) {
            return new Problem(BLANK, "HTTP status " + status.value(), status.value(), sentence(status), null);
        }
        return of(known, sentence(known));
    }

    /** What went wrong on our side; {@code errorId} finds it in the log. */
    static Problem unexpected(String errorId) {
        HttpStatus status = HttpStatus.INTERNAL_SERVER_ERROR;
        return new Problem(BLANK, status.getReasonPhrase(), status.value(), sentence(status), errorId);
    }

    private static String sentence(HttpStatusCode status) {
        return switch (status.value()) {
            case 400 -> "The request could not be understood; compare it with the interface's description.";
            case 401 -> "Sign in with an administrator's user name and password (HTTP Basic).";
            case 403 -> "Your role does not allow this.";
            case 404 -> "There is nothing at this address.";
            case 405 -> "This address does not serve the request's method; the Allow header lists those it does.";
            case 406 -> "This address cannot answer in a format that the Accept header asks for.";
            case 413 -> "The request is larger than the broker accepts.";
            case 414 -> "The request's address is longer than the broker accepts.";
            case 415 -> "Send the request as application/json.";
            case 429 -> "Too many requests; try again later.";
            case 431 -> "The request's headers are larger than the broker accepts.";
            case 500 -> "The broker failed to answer; its log has the reason.";
            case 501 -> "The broker does not know the request's method.";
            case 503 -> "A store that this needs does not answer right now; try again shortly.";
            default ->
                status.is5xxServerError()
                        ? "The broker cannot answer right now."
                        : "The broker does not accept this request.";
        };
    }
}
