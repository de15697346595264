package io.heddle.api.openapi;

import io.heddle.api.problem.RequestProblem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows the description of the REST interface in a browser, with Swagger UI from its jar.
 */
@RestController
public final class ApiPage {
    /** The version of the jar, as in the pom. */
    static final String SWAGGER_UI_VERSION = "5.34.0";

    private static final String SWAGGER_UI = "META-INF/resources/webjars/swagger-ui/" + SWAGGER_UI_VERSION + "/";
    private static final MediaType SCRIPT = new MediaType("text", "javascript", StandardCharsets.UTF_8);
    private static final MediaType STYLE = new MediaType("text", "css", StandardCharsets.UTF_8);

    private static final ShownFile PAGE =
            new ShownFile(own("page.html"), new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8));

    private static final Map<String, ShownFile> FILES = Map.of(
            "page.js", new ShownFile(own("page.js"), SCRIPT),
            "page.css", new ShownFile(own("page.css"), STYLE),
            "swagger-ui-bundle.js", new ShownFile(new ClassPathResource(SWAGGER_UI + "swagger-ui-bundle.js"), SCRIPT),
            "swagger-ui.css", new ShownFile(new ClassPathResource(SWAGGER_UI + "swagger-ui.css"), STYLE));

    private record ShownFile(Resource content, MediaType type) {}

    private static Resource own(String name) {
        return new ClassPathResource(name, ApiPage.class);
    }

    @GetMapping("/api-docs")
    ResponseEntity<Resource> page() {
        return answer(PAGE, CacheControl.noStore());
    }

    @GetMapping("/api-docs/{file}")
    ResponseEntity<Resource> file(@PathVariable String file) {
        ShownFile found = FILES.get(file);
        if (found == null) {
            throw RequestProblem.notFound("This page has no such file.");
        }
        return answer(found, CacheControl.maxAge(Duration.ofHours(1)).cachePrivate());
    }

    private static ResponseEntity<Resource> answer(ShownFile file, CacheControl caching) {
        return ResponseEntity.ok()
                .cacheControl(caching)
                .contentType(file.type())
                .body(file.content());
    }
}
