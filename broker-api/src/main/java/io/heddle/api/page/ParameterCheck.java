package io.heddle.api.page;

import io.heddle.api.problem.FieldProblems;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses requests with repeated, empty and unknown parameters before a controller sees them. Spring would join repeated ones with a comma,
 * and a filter without a value would select everything; only "after" may be empty, for the first page. A method for GET that takes the request is a list: {@link ListRules} knows its
 * parameters. Thread-safe.
 */
public final class ParameterCheck implements HandlerInterceptor {
    private static final Set<String> READING = Set.of("GET", "HEAD");
    private static final String CURSOR = "after";

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method) {
            check(request, method);
        }
        return true;
    }

    private static void check(HttpServletRequest request, HandlerMethod method) {
        Parameter[] declared = method.getMethod().getParameters();
        Set<String> known = Arrays.stream(declared)
                .filter(parameter -> parameter.isAnnotationPresent(RequestParam.class))
                .map(Parameter::getName)
                .collect(Collectors.toSet());
        boolean isList = READING.contains(request.getMethod())
                && Arrays.stream(declared).anyMatch(parameter -> parameter.getType() == HttpServletRequest.class);
        FieldProblems problems = new FieldProblems();
        request.getParameterMap().forEach((name, values) -> {
            if (!isList && !known.contains(name)) {
                problems.add(name, "This request has no such parameter.");
            } else if (values.length != 1) {
                problems.add(name, "Give this parameter once.");
            } else if (values[0].isEmpty() && !name.equals(CURSOR)) {
                problems.add(name, "Give this parameter a value, or leave it out.");
            }
        });
        problems.throwIfAny();
    }
}
