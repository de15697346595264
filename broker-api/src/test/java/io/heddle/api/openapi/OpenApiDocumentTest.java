package io.heddle.api.openapi;

import static io.heddle.api.testkit.ApiClient.problem;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.audit.AuditAction;
import io.heddle.api.page.ClusterPage;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class OpenApiDocumentTest {
    private static final String PREFIX = "/api/v1/";
    private static final List<Class<?>> LISTS = List.of(Page.class, ClusterPage.class);

    private static @Nullable ApiServer server;
    private static @Nullable ApiClient client;
    private static @Nullable Documents document;

    @BeforeAll
    static void start() throws Exception {
        ApiServer started = new ApiServer();
        started.administrators().put("vera", "looking", AdminRole.VIEWER, started.passwordHash());
        server = started;
        ApiClient opened = started.client();
        client = opened;
        document = new Documents(JsonMapper.shared()
                .readTree(opened.get(OpenApiController.PATH, "vera", "looking").body()));
    }

    @AfterAll
    static void stop() {
        requireNonNull(client).close();
        requireNonNull(server).close();
    }

    private static Documents document() {
        return requireNonNull(document);
    }

    /** Returns the methods of the controllers, by "get /api/v1/…". */
    private static Map<String, Method> mappings() {
        Map<String, Method> mappings = new TreeMap<>();
        requireNonNull(server)
                .mappings()
                .forEach((request, handler) -> request.getPatternValues().stream()
                        .filter(path -> path.startsWith(PREFIX))
                        .forEach(path -> request.getMethodsCondition()
                                .getMethods()
                                .forEach(method -> mappings.put(
                                        method.name().toLowerCase(Locale.ROOT) + " " + path, handler.getMethod()))));
        return mappings;
    }

    /** Returns the documented operations, by "get /api/v1/…". */
    private static Map<String, JsonNode> operations() {
        Map<String, JsonNode> operations = new TreeMap<>();
        document()
                .root()
                .path("paths")
                .forEachEntry((path, item) -> item.forEachEntry((method, operation) -> {
                    if (!method.equals("parameters")) {
                        operations.put(method + " " + path, operation);
                    }
                }));
        return operations;
    }

    private static String path(String operation) {
        return operation.substring(operation.indexOf(' ') + 1);
    }

    private static JsonNode operation(String name) {
        return requireNonNull(operations().get(name), name);
    }

    private static Set<String> parameters(String operation, String... places) {
        return document().parameters(path(operation), operation(operation)).stream()
                .filter(each -> Set.of(places).contains(each.path("in").asString()))
                .map(each -> each.path("name").asString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static JsonNode success(String operation) {
        return document()
                .resolve(operation(operation)
                        .path("responses")
                        .propertyStream()
                        .filter(each -> each.getKey().startsWith("2"))
                        .findFirst()
                        .orElseThrow()
                        .getValue());
    }

    @Test
    void everyMappingIsDocumentedAndNothingElse() {
        assertThat(operations().keySet()).isEqualTo(mappings().keySet()).hasSizeGreaterThan(40);
    }

    @Test
    void everyOperationIsDescribedWithItsRoleAndItsAnswers() {
        Set<String> names = new HashSet<>();
        operations().forEach((name, operation) -> {
            assertThat(operation.path("summary").asString("")).as(name).endsWith(".");
            assertThat(names.add(operation.path("operationId").asString("")))
                    .as(name)
                    .isTrue();
            assertThat(document().root().path("tags").findValuesAsString("name"))
                    .as(name)
                    .containsAll(operation
                            .path("tags")
                            .valueStream()
                            .map(JsonNode::asString)
                            .toList());
            JsonNode security = operation.has("security")
                    ? operation.path("security")
                    : document().root().path("security");
            assertThat(security.path(0).path("administrator").path(0).asString(""))
                    .as(name)
                    .isIn("VIEWER", "OPERATOR", "ADMIN");
            assertThat(operation.path("responses").has("default")).as(name).isTrue();
            operation.path("responses").forEachEntry((status, response) -> {
                assertThat(document().resolve(response).path("description").asString(""))
                        .as(name + " " + status)
                        .endsWith(".");
                boolean isProblem = document().resolve(response).path("content").has("application/problem+json");
                assertThat(isProblem).as(name + " " + status).isEqualTo(!status.startsWith("2"));
            });
        });
    }

    @Test
    void everyParameterOfAMethodIsDocumented() {
        mappings().forEach((name, method) -> {
            Set<String> declared = new TreeSet<>();
            for (Parameter each : method.getParameters()) {
                if (each.isAnnotationPresent(RequestParam.class) || each.isAnnotationPresent(PathVariable.class)) {
                    declared.add(each.getName());
                }
            }
            boolean isList = rules(method.getDeclaringClass()).findAny().isPresent() && name.startsWith("get ");
            if (isList) {
                assertThat(parameters(name, "query", "path")).as(name).containsAll(declared);
            } else {
                assertThat(parameters(name, "query", "path")).as(name).isEqualTo(declared);
            }
            document().parameters(path(name), operation(name)).forEach(each -> {
                assertThat(each.path("description").asString("")).as(name).endsWith(".");
                boolean isRequired = Arrays.stream(method.getParameters())
                        .filter(parameter ->
                                parameter.getName().equals(each.path("name").asString()))
                        .anyMatch(OpenApiDocumentTest::isRequired);
                assertThat(each.path("required").asBoolean(false))
                        .as(name + " " + each.path("name").asString())
                        .isEqualTo(isRequired);
            });
        });
    }

    /** All requests refuse empty parameters, except {@code after} for the first page. */
    @Test
    void textsOfParametersMustNotBeEmpty() {
        operations()
                .forEach((name, operation) -> document().parameters(path(name), operation).stream()
                        .filter(each -> each.path("in").asString().equals("query"))
                        .filter(each -> !each.path("name").asString().equals("after"))
                        .map(each -> each.path("schema"))
                        .filter(schema -> schema.path("type").asString("").equals("string"))
                        .filter(schema -> !schema.has("enum") && !schema.has("format"))
                        .forEach(schema -> assertThat(schema.path("minLength").asInt(0))
                                .as(name)
                                .isEqualTo(1)));
    }

    /** The page fills examples in before a request is sent, and a filter that matches nothing looks like an empty list. */
    @Test
    void onlyRequiredParametersHaveExamples() {
        operations()
                .forEach((name, operation) -> document().parameters(path(name), operation).stream()
                        .filter(each -> each.has("example"))
                        .forEach(each -> assertThat(each.path("required").asBoolean(false))
                                .as(name + " " + each.path("name").asString())
                                .isTrue()));
    }

    private static boolean isRequired(Parameter parameter) {
        RequestParam query = parameter.getAnnotation(RequestParam.class);
        return parameter.isAnnotationPresent(PathVariable.class)
                || (query != null && query.required() && query.defaultValue().startsWith("\n"));
    }

    private static Stream<ListRules> rules(Class<?> controller) {
        return Arrays.stream(controller.getDeclaredFields())
                .filter(field -> field.getType() == ListRules.class)
                .map(OpenApiDocumentTest::value);
    }

    private static ListRules value(Field field) {
        try {
            field.setAccessible(true);
            return (ListRules) requireNonNull(field.get(null));
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void everyFilterOfAListIsDocumented() {
        Map<Class<?>, Set<String>> documented =
                new TreeMap<>((one, other) -> one.getName().compareTo(other.getName()));
        mappings()
                .forEach((name, method) -> documented
                        .computeIfAbsent(method.getDeclaringClass(), _ -> new TreeSet<>())
                        .addAll(parameters(name, "query")));
        documented.forEach((controller, names) -> rules(controller).forEach(rules -> {
            assertThat(names).as(controller.getName()).containsAll(rules.filters());
            assertThat(names).as(controller.getName()).contains("limit", "after", "sort");
        }));
    }

    @Test
    void everyListKnowsItsDocumentedParameters() throws Exception {
        for (Map.Entry<String, Method> each : mappings().entrySet()) {
            if (!LISTS.contains(each.getValue().getReturnType())) {
                continue;
            }
            String query = parameters(each.getKey(), "query").stream()
                    .map(name -> name + "=" + (name.equals("sort") || name.equals("after") ? "" : "1"))
                    .collect(Collectors.joining("&", "?", ""));
            HttpResponse<String> answer = requireNonNull(client).get(path(each.getKey()) + query, "vera", "looking");
            assertThat(answer.body()).as(each.getKey()).doesNotContain("no such parameter");
        }
    }

    @Test
    void theActionsOfTheAuditLogAreDocumented() {
        assertThat(document().parameters("/api/v1/audit", operation("get /api/v1/audit")).stream()
                        .filter(each -> each.path("name").asString().equals("action"))
                        .flatMap(each -> each.path("schema").path("enum").valueStream())
                        .map(JsonNode::asString))
                .containsExactlyElementsOf(Arrays.stream(AuditAction.values())
                        .map(AuditAction::name)
                        .toList());
    }

    @Test
    void theOrdersOfListsAreThoseOfTheRules() {
        Set<List<String>> documented = new HashSet<>();
        Set<List<String>> declared = new HashSet<>();
        mappings().forEach((name, method) -> {
            document().parameters(path(name), operation(name)).stream()
                    .filter(each -> each.path("name").asString().equals("sort"))
                    .forEach(each -> documented.add(each.path("schema")
                            .path("enum")
                            .valueStream()
                            .map(JsonNode::asString)
                            .toList()));
            rules(method.getDeclaringClass()).forEach(rules -> declared.add(rules.sorts()));
        });
        assertThat(documented).isEqualTo(declared);
    }

    @Test
    void theSchemasHaveTheFieldsOfRequestsAndAnswers() throws Exception {
        mappings().forEach((name, method) -> {
            JsonNode answer = success(name).path("content");
            ResponseStatus status = method.getAnnotation(ResponseStatus.class);
            if (status != null) {
                assertThat(operation(name)
                                .path("responses")
                                .has(Integer.toString(status.value().value())))
                        .as(name)
                        .isTrue();
            }
            if (method.getReturnType() == void.class) {
                // A method that takes the response writes it.
                boolean isWriting = List.of(method.getParameterTypes()).contains(HttpServletResponse.class);
                assertThat(answer.isMissingNode()).as(name).isEqualTo(!isWriting);
            } else if (method.getDeclaringClass() != OpenApiController.class) {
                document()
                        .assertDescribes(
                                answer.path("application/json").path("schema"), method.getAnnotatedReturnType(), name);
            }
            for (Parameter each : method.getParameters()) {
                if (each.isAnnotationPresent(RequestBody.class)) {
                    JsonNode body =
                            operation(name).path("requestBody").path("content").path("application/json");
                    document().assertDescribes(body.path("schema"), each.getAnnotatedType(), name + " body");
                }
            }
        });
        JsonNode schemas = document().root().path("components").path("schemas");
        for (Class<?> list : LISTS) {
            List<String> fields = Arrays.stream(list.getRecordComponents())
                    .map(each -> each.getName())
                    .toList();
            JsonNode schema = schemas.path(list.getSimpleName());
            assertThat(schema.path("properties").propertyNames()).containsExactlyElementsOf(fields);
            assertThat(schema.path("required").valueStream().map(JsonNode::asString))
                    .containsExactlyElementsOf(fields);
        }
        Class<?> error = Class.forName("io.heddle.api.problem.Problem");
        document().assertDescribes(schemas.path("Problem"), holder(error), "Problem");
    }

    private static AnnotatedType holder(Class<?> type) throws NoSuchMethodException {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getReturnType() == type)
                .findFirst()
                .orElseThrow()
                .getAnnotatedReturnType();
    }

    @Test
    void theVersionIsThatOfTheBroker() {
        assertThat(document().root().path("openapi").asString()).startsWith("3.1");
        assertThat(document().root().path("info").path("version").asString()).isEqualTo("1.2.3");
    }

    @Test
    void theDocumentNeedsASignIn() throws Exception {
        problem(requireNonNull(client).get(OpenApiController.PATH), 401);
    }
}
