package io.heddle.app.packaging;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.Tag;

/** One or several files for Docker Compose, merged as Compose does as far as these files need it: mappings are merged, lists are joined. */
final class ComposeFile {
    static final Path DIRECTORY = Path.of("..", "docker");

    private final Map<String, Object> content;

    private ComposeFile(Map<String, Object> content) {
        this.content = content;
    }

    static ComposeFile read(String... names) throws IOException {
        Map<String, Object> merged = new LinkedHashMap<>();
        for (String name : names) {
            merged = merge(merged, load(name));
        }
        return new ComposeFile(merged);
    }

    private static Map<String, Object> load(String name) throws IOException {
        try (Reader file = Files.newBufferedReader(DIRECTORY.resolve(name))) {
            Map<String, Object> content = mapping(new Yaml(new Tags()).load(file));
            for (Map.Entry<String, Object> service :
                    mapping(content.get("services")).entrySet()) {
                service.setValue(extended(mapping(service.getValue())));
            }
            return content;
        }
    }

    /** Resolves "extends", which takes over another service, of another file. */
    private static Map<String, Object> extended(Map<String, Object> service) throws IOException {
        Object base = service.remove("extends");
        if (base == null) {
            return service;
        }
        Map<String, Object> reference = mapping(base);
        Map<String, Object> other = load(String.valueOf(reference.get("file")));
        return merge(mapping(mapping(other.get("services")).get(String.valueOf(reference.get("service")))), service);
    }

    private static Map<String, Object> merge(Map<String, Object> first, Map<String, Object> second) {
        Map<String, Object> merged = new LinkedHashMap<>(first);
        second.forEach((key, value) -> merged.merge(key, value, (one, other) -> {
            if (one instanceof Map && other instanceof Map) {
                return merge(mapping(one), mapping(other));
            }
            if (one instanceof List<?> list && other instanceof List<?> further && !(other instanceof Replacing)) {
                List<Object> joined = new ArrayList<>(list);
                joined.addAll(further);
                return joined;
            }
            return other;
        }));
        return merged;
    }

    /** Returns the services, by name. */
    Map<String, Map<String, Object>> services() {
        Map<String, Map<String, Object>> services = new LinkedHashMap<>();
        mapping(content.get("services")).forEach((name, service) -> services.put(name, mapping(service)));
        return services;
    }

    /** Returns the variables of a service; empty if there is no such service. */
    Map<String, Object> environment(String service) {
        return mapping(mapping(mapping(content.get("services")).get(service)).get("environment"));
    }

    /** Returns the names of the elements of the file's own list of volumes, secrets or others. */
    List<String> defined(String kind) {
        return List.copyOf(mapping(content.get(kind)).keySet());
    }

    /** Returns the mapping, or an empty one for null. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> mapping(@Nullable Object value) {
        return value == null ? new LinkedHashMap<>() : (Map<String, Object>) value;
    }

    /** Returns the texts of a list; an empty one for null. */
    static List<String> texts(@Nullable Object value) {
        return value == null
                ? List.of()
                : ((List<?>) value).stream().map(Object::toString).toList();
    }

    /** A list with the tag {@code !override}, which replaces that of the earlier file. */
    private static final class Replacing extends ArrayList<Object> {
        private static final long serialVersionUID = 1;
    }

    private static final class Tags extends SafeConstructor {
        private Tags() {
            super(new LoaderOptions());
            yamlConstructors.put(new Tag("!override"), new ConstructYamlSeq() {
                @Override
                public Object construct(org.yaml.snakeyaml.nodes.Node node) {
                    Replacing list = new Replacing();
                    list.addAll(constructSequence((org.yaml.snakeyaml.nodes.SequenceNode) node));
                    return list;
                }
            });
        }
    }
}
