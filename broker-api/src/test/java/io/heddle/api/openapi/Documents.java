package io.heddle.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.page.ClusterPage;
import io.heddle.api.page.Page;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.JsonNode;

/** An OpenAPI document, and the comparison of its schemas with Java types. */
record Documents(JsonNode root) {
    /** Returns the object that a reference names, or the object itself. */
    JsonNode resolve(JsonNode node) {
        String reference = node.path("$ref").asString("");
        if (reference.isEmpty()) {
            return node;
        }
        JsonNode target = root.at(reference.substring(1));
        assertThat(target.isMissingNode()).as(reference).isFalse();
        return target;
    }

    /** Returns the parameters of an operation, with those of its path. */
    List<JsonNode> parameters(String path, JsonNode operation) {
        List<JsonNode> parameters = new ArrayList<>();
        root.path("paths").path(path).path("parameters").forEach(each -> parameters.add(resolve(each)));
        operation.path("parameters").forEach(each -> parameters.add(resolve(each)));
        return parameters;
    }

    /** Asserts that a schema has the fields of a type, with descriptions, and says of the same ones that they may be null. */
    void assertDescribes(JsonNode schema, AnnotatedType type, String where) {
        Class<?> raw = raw(type.getType());
        if (raw == ResponseEntity.class) {
            assertDescribes(schema, argument(type), where);
        } else if (raw == Page.class || raw == ClusterPage.class) {
            JsonNode items = schema.path("allOf").path(1).path("properties").path("items");
            assertThat(schema.path("allOf").path(0).path("$ref").asString(""))
                    .as(where)
                    .isEqualTo("#/components/schemas/" + raw.getSimpleName());
            assertList(items, type, where);
        } else if (raw == List.class) {
            assertList(schema, type, where);
        } else if (raw == Map.class) {
            JsonNode map = resolve(schema);
            assertThat(types(map)).as(where).contains("object");
            assertDescribes(map.path("additionalProperties"), arguments(type)[1], where + "{}");
        } else if (raw.isRecord()) {
            assertRecord(withoutNull(schema), raw, where);
        } else {
            assertThat(types(schema)).as(where).contains(name(raw));
        }
    }

    private void assertList(JsonNode schema, AnnotatedType type, String where) {
        assertThat(types(schema)).as(where).contains("array");
        assertDescribes(schema.path("items"), argument(type), where + "[]");
    }

    private void assertRecord(JsonNode schema, Class<?> record, String where) {
        JsonNode properties = resolve(schema).path("properties");
        List<RecordComponent> fields = Arrays.asList(record.getRecordComponents());
        assertThat(properties.propertyNames())
                .as(where)
                .containsExactlyElementsOf(
                        fields.stream().map(RecordComponent::getName).toList());
        for (RecordComponent field : fields) {
            String name = where + "." + field.getName();
            JsonNode property = properties.path(field.getName());
            assertThat(resolve(property).path("description").asString(""))
                    .as(name)
                    .endsWith(".");
            boolean isNullable = field.getAnnotatedType().isAnnotationPresent(Nullable.class);
            assertThat(types(property).contains("null") || isOneOfNull(property))
                    .as(name + " may be null")
                    .isEqualTo(isNullable);
            // The branches of a branch are described where this one is.
            if (!field.getGenericType().getTypeName().contains(record.getName())) {
                assertDescribes(property, field.getAnnotatedType(), name);
            }
        }
    }

    private static boolean isOneOfNull(JsonNode schema) {
        return schema.path("oneOf").path(1).path("type").asString("").equals("null");
    }

    private static JsonNode withoutNull(JsonNode schema) {
        return isOneOfNull(schema) ? schema.path("oneOf").path(0) : schema;
    }

    private static List<String> types(JsonNode schema) {
        JsonNode type = schema.path("type");
        return type.isArray() ? type.valueStream().map(JsonNode::asString).toList() : List.of(type.asString(""));
    }

    private static String name(Class<?> type) {
        if (type == String.class || type == Instant.class || type == UUID.class || type.isEnum()) {
            return "string";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "boolean";
        }
        return type == double.class || type == Double.class ? "number" : "integer";
    }

    private static AnnotatedType argument(AnnotatedType type) {
        return arguments(type)[0];
    }

    private static AnnotatedType[] arguments(AnnotatedType type) {
        return ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments();
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
    }
}
