package io.heddle.api.console;

import io.heddle.api.problem.ErrorResponses;
import jakarta.servlet.Filter;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.web.servlet.DispatcherServlet;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends GET requests to the REST interface of this process, with the administrator who has asked for a page. They pass the same security
 * filters, parameter checks and controllers as requests from the network, so a page cannot show what its reader may not read. The requests do
 * not pass through Tomcat: its dispatches change the wrappers of the request that all of them share, so they cannot run at the same time.
 * Thread-safe.
 */
final class Rest {
    private static final TypeReference<Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {};
    private static final URI ERROR = URI.create("/error");

    private final Filter security;
    private final Supplier<DispatcherServlet> controllers;
    private final JsonMapper json;

    /**
     * @param security all filters of Spring Security
     * @param controllers is asked with each request, because the controllers are constructed before the servlet
     */
    Rest(Filter security, Supplier<DispatcherServlet> controllers, JsonMapper json) {
        this.security = security;
        this.controllers = controllers;
        this.json = json;
    }

    /** Returns a request for this address. Its parameters are the decoded query. Call it on the thread of the page. */
    InnerRequest request(HttpServletRequest page, SecurityContext reader, URI address, Map<String, String> parameters) {
        InnerRequest request = new InnerRequest(page, address, parameters);
        request.setAttribute(RequestAttributeSecurityContextRepository.DEFAULT_REQUEST_ATTR_NAME, reader);
        return request;
    }

    /** Sends the request. Replaces the security context of the thread. */
    Answer send(InnerRequest request, HttpServletResponse page) {
        InnerResponse response = new InnerResponse(page);
        try {
            security.doFilter(request, response, controllers.get()::service);
            if (response.isError()) {
                response = error(request, response.getStatus(), page);
            }
        } catch (IOException notFromMemory) {
            throw new UncheckedIOException(notFromMemory);
        } catch (ServletException fault) {
            throw new IllegalStateException(fault);
        }
        byte[] body = response.body();
        return new Answer(
                response.getStatus(),
                body.length == 0 ? Map.of() : json.readValue(body, OBJECT),
                response.getHeader(HttpHeaders.ETAG));
    }

    /** The body that {@link ErrorResponses} writes for a request from the network. */
    private InnerResponse error(InnerRequest refused, int status, HttpServletResponse page)
            throws ServletException, IOException {
        InnerRequest request = new InnerRequest(refused, ERROR, Map.of());
        refused.getAttributeNames().asIterator().forEachRemaining(name -> {
            if (name.startsWith("io.heddle.")) {
                request.setAttribute(name, refused.getAttribute(name));
            }
        });
        request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, status);
        InnerResponse response = new InnerResponse(page);
        controllers.get().service(request, response);
        return response;
    }
}
