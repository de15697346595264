package io.heddle.api.openapi;

import io.heddle.core.lifecycle.Node;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Returns the description of the REST interface. Reads it anew for each request, so that it takes neither time at the start nor memory. */
@RestController
public final class OpenApiController {
    /** The address of the document. */
    static final String PATH = "/api/v1/openapi.json";

    private static final String RESOURCE = "openapi.yaml";

    private final Node node;

    public OpenApiController(Node node) {
        this.node = node;
    }

    @GetMapping(path = PATH, produces = MediaType.APPLICATION_JSON_VALUE)
    Map<String, Object> document() {
        Map<String, Object> document = read();
        // OpenAPI requires the version of the document; it is that of the broker.
        Map<Object, Object> info = new LinkedHashMap<>();
        if (document.get("info") instanceof Map<?, ?> given) {
            info.putAll(given);
        }
        info.put("version", node.status().version());
        document.put("info", info);
        return document;
    }

    private static Map<String, Object> read() {
        try (InputStream file =
                Objects.requireNonNull(OpenApiController.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
