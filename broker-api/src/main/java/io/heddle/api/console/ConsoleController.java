package io.heddle.api.console;

import io.heddle.api.security.PageHeaders;
import io.heddle.api.security.SecurityProblems;
import io.heddle.api.security.SessionCsrf;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.lifecycle.Node;
import jakarta.servlet.Filter;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.DispatcherServlet;
import tools.jackson.databind.json.JsonMapper;

/** Renders the pages of the console. The answers that a page shows are asked for at the same time. */
@RestController
public final class ConsoleController {
    private static final MediaType ICON_TYPE = new MediaType("image", "vnd.microsoft.icon");
    private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);
    private static final String THEME = "heddle-theme";
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final Node node;
    private final ConsoleFiles files;
    private final Rest rest;
    // When the first page is shown: the engine takes a tenth of a second of the start of a node, or more.
    private final SingletonSupplier<ConsoleTemplates> templates = SingletonSupplier.of(ConsoleTemplates::new);
    private final Executor threads =
            task -> Thread.ofVirtual().name("heddle-console").start(task);

    public ConsoleController(
            Node node,
            ConsoleFiles files,
            @Lazy @Qualifier("springSecurityFilterChain") Filter security,
            ObjectProvider<DispatcherServlet> controllers,
            JsonMapper json) {
        this.node = node;
        this.files = files;
        this.rest = new Rest(security, controllers::getObject, json);
    }

    @GetMapping("/favicon.ico")
    ResponseEntity<Resource> icon() {
        return ResponseEntity.ok()
                .cacheControl(CacheControl.maxAge(Duration.ofDays(1)).cachePublic())
                .contentType(ICON_TYPE)
                .body(new ClassPathResource("favicon.ico", ConsoleController.class));
    }

    @GetMapping("/sign-in")
    ResponseEntity<String> signIn(HttpServletRequest request) {
        Map<String, @Nullable Object> values = frame("Sign in", request);
        values.put("isServing", node.status().isServing());
        return answer(OK, "sign-in", values);
    }

    /** For requests that {@link SecurityProblems} forwards. */
    @GetMapping(SecurityProblems.UNAVAILABLE)
    ResponseEntity<String> unavailable(HttpServletRequest request) {
        AuthenticationException unchecked = SecurityProblems.unchecked(request);
        if (unchecked == null) {
            return ResponseEntity.status(HttpStatus.SEE_OTHER)
                    .header(HttpHeaders.LOCATION, "/")
                    .build();
        }
        Map<String, @Nullable Object> values = frame("Not available", request);
        values.put("isServing", node.status().isServing());
        values.put("isBusy", unchecked.getCause() instanceof SignInBusyException);
        return answer(HttpStatus.SERVICE_UNAVAILABLE.value(), "unavailable", values);
    }

    @GetMapping("/")
    ResponseEntity<String> overview(HttpServletRequest request, HttpServletResponse response) {
        return page(ConsolePages.OVERVIEW, request, response);
    }

    @GetMapping("/{name:[a-z]+(?:-[a-z]+)*}")
    ResponseEntity<String> page(@PathVariable String name, HttpServletRequest request, HttpServletResponse response) {
        ConsolePage page = ConsolePages.find(name);
        Map<String, @Nullable Object> values = frame(page == null ? "Page not found" : page.title(), request);
        int status = feed(page, values, request, response);
        if (name.equals(ConsolePages.MQTT_CLIENT)) {
            response.setHeader(
                    PageHeaders.POLICY,
                    PageHeaders.policy(BrokerSources.of(
                            request.getServerName(),
                            request.isSecure(),
                            node.status().listeners())));
        }
        return answer(status, page == null ? "missing" : page.name(), values);
    }

    /** Adds the answers to the values, and returns the status of the page. */
    private int feed(
            @Nullable ConsolePage page,
            Map<String, @Nullable Object> values,
            HttpServletRequest request,
            HttpServletResponse response) {
        Map<String, String> query = query(request);
        SecurityContext reader = SecurityContextHolder.getContext();
        Map<String, CompletableFuture<Answer>> answers = new LinkedHashMap<>();
        Stream.concat(page == null ? Stream.of() : page.feeds().stream(), ConsolePages.FRAME.stream())
                .forEach(feed -> {
                    Feed.Query asked = feed.query(query);
                    if (asked != null) {
                        InnerRequest inner = rest.request(request, reader, asked.address(), asked.parameters());
                        answers.put(
                                feed.name(), CompletableFuture.supplyAsync(() -> rest.send(inner, response), threads));
                    }
                });
        answers.forEach((name, answer) -> values.put(name, answer.join()));
        if (page == null) {
            return NOT_FOUND;
        }
        values.put("section", page.section());
        // Other answers show their problems in their places.
        if (values.get(ConsolePages.OBJECT) instanceof Answer object) {
            return object.status();
        }
        if (values.get(ConsolePages.LIST) instanceof Answer list) {
            return list.status();
        }
        return page.isOf(ConsolePages.OBJECT) ? NOT_FOUND : OK;
    }

    private Map<String, @Nullable Object> frame(String title, HttpServletRequest request) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("title", title);
        values.put("files", files.base());
        values.put("query", query(request));
        values.put("csrf", SessionCsrf.token(request));
        values.put("theme", theme(request));
        values.put("userName", request.getRemoteUser());
        boolean isAdmin = request.isUserInRole(AdminRole.ADMIN.name());
        values.put("isAdmin", isAdmin);
        values.put("isOperator", isAdmin || request.isUserInRole(AdminRole.OPERATOR.name()));
        return values;
    }

    private static Map<String, String> query(HttpServletRequest request) {
        Map<String, String> query = new LinkedHashMap<>();
        request.getParameterMap().forEach((name, values) -> query.put(name, values[0]));
        return query;
    }

    /** The theme that the reader has set; empty for that of the system. */
    private static String theme(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        return cookies == null
                ? ""
                : Stream.of(cookies)
                        .filter(cookie -> cookie.getName().equals(THEME))
                        .map(Cookie::getValue)
                        .filter(value -> value.equals("dark") || value.equals("light"))
                        .findFirst()
                        .orElse("");
    }

    private ResponseEntity<String> answer(int status, String template, Map<String, @Nullable Object> values) {
        return ResponseEntity.status(status)
                .cacheControl(CacheControl.noStore())
                .contentType(HTML)
                .body(templates.obtain().render(template, values));
    }
}
