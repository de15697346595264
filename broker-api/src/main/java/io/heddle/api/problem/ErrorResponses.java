package io.heddle.api.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Writes the body of each error that a filter or Spring reports by its status only ({@code sendError}). */
@RestController
public final class ErrorResponses implements ErrorController {
    /** The request attribute for a problem that is more specific than its status. */
    static final String PROBLEM = Problem.class.getName();

    /** Lets the response name the store that has not answered; the caller sends the status 503. */
    public static void nameStore(HttpServletRequest request, @Nullable String store) {
        request.setAttribute(PROBLEM, Problem.unavailable(store));
    }

    /**
     * Sets the detail of the problem of a request; the caller sends the status.
     *
     * @param sentence without anything of the request
     */
    public static void explain(HttpServletRequest request, HttpStatus status, String sentence) {
        request.setAttribute(PROBLEM, Problem.of(status, sentence));
    }

    @RequestMapping("/error")
    ResponseEntity<Problem> error(HttpServletRequest request) {
        // Absent if a client requests this address directly.
        HttpStatusCode status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code
                ? HttpStatusCode.valueOf(code)
                : HttpStatus.NOT_FOUND;
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(request.getAttribute(PROBLEM) instanceof Problem problem ? problem : Problem.of(status));
    }
}
