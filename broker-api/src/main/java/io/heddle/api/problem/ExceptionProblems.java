package io.heddle.api.problem;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import java.util.List;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * Translates exceptions of controllers, and of Spring before it calls them, to problems. Spring chooses the status and headers of its own
 * exceptions; their messages are not used, because they quote the request.
 */
@RestControllerAdvice
public final class ExceptionProblems extends ResponseEntityExceptionHandler {
    private static final Logger log = LoggerFactory.getLogger(ExceptionProblems.class);
    private static final String RETRY_AFTER_SECONDS = "5";

    @ExceptionHandler
    @Nullable
    ResponseEntity<Object> storeUnavailable(StoreUnavailableException failure, WebRequest request) {
        log.debug("A store is not available; the HTTP request is rejected", failure);
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        return answer(Problem.unavailable(failure.store()), headers, request);
    }

    /** An administrator may see what the operator must correct. */
    @ExceptionHandler
    @Nullable
    ResponseEntity<Object> wrongConfiguration(StartupException failure, WebRequest request) {
        log.warn("A request of an administrator is rejected because of the configuration: {}", failure.getMessage());
        String sentence = String.valueOf(failure.getMessage());
        return answer(Problem.of(HttpStatus.CONFLICT, sentence), new HttpHeaders(), request);
    }

    @ExceptionHandler
    @Nullable
    ResponseEntity<Object> refused(RequestProblem problem, WebRequest request) {
        HttpHeaders headers = new HttpHeaders();
        if (problem.status() == HttpStatus.SERVICE_UNAVAILABLE) {
            headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        return answer(Problem.of(problem), headers, request);
    }

    /** The firewall checks headers and parameters when they are read, which may be in a controller. */
    @ExceptionHandler
    @Nullable
    ResponseEntity<Object> rejected(RequestRejectedException rejected, WebRequest request) {
        return answer(Problem.of(HttpStatus.BAD_REQUEST), new HttpHeaders(), request);
    }

    /** Tomcat decodes parameters when they are first read, which may be in a controller or an endpoint of Actuator. */
    @ExceptionHandler
    @Nullable
    ResponseEntity<Object> undecodable(InvalidParameterException wrong, WebRequest request) {
        return answer(Problem.of(RequestProblem.undecodable(wrong)), new HttpHeaders(), request);
    }

    @ExceptionHandler
    @Nullable
    ResponseEntity<Object> unexpected(Exception fault, WebRequest request) {
        if (DisconnectedClientHelper.isClientDisconnectedException(fault)) {
            log.debug("HTTP client disconnected before its response was written", fault);
            return null;
        }
        return answer(Problem.unexpected(fault), new HttpHeaders(), request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception exception,
            @Nullable Object body,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        if (status.isSameCodeAs(HttpStatus.INTERNAL_SERVER_ERROR)) {
            return answer(Problem.unexpected(exception), headers, request);
        }
        if (exception instanceof HttpMessageNotReadableException unreadable) {
            RequestProblem problem = UnreadableBody.problem(unreadable);
            return answer(problem == null ? Problem.of(status) : Problem.of(problem), headers, request);
        }
        FieldProblem wrong = WrongField.in(exception);
        return answer(
                wrong == null ? Problem.of(status) : Problem.of(RequestProblem.invalid(List.of(wrong))),
                headers,
                request);
    }

    private static @Nullable ResponseEntity<Object> answer(Problem problem, HttpHeaders headers, WebRequest request) {
        if (request instanceof ServletWebRequest servlet
                && servlet.getResponse() != null
                && servlet.getResponse().isCommitted()) {
            // The client would take the problem for the rest of the response.
            return null;
        }
        return ResponseEntity.status(problem.status())
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }
}
