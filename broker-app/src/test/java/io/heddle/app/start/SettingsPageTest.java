package io.heddle.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Generates docs/settings.md from the settings records with {@code -Dheddle.docs.write=true}; otherwise compares the page with the records.
 * The page therefore records every default.
 */
final class SettingsPageTest {
    private static final String METADATA = "META-INF/spring-configuration-metadata.json";
    private static final String HEADER = """
            # Settings

            All settings of the broker with their defaults. Generated from the settings records; do not edit (CONTRIBUTING.md has the command).

            Set a setting as `--key=value` on the command line, in the environment (`heddle.mqtt.port` is `HEDDLE_MQTT_PORT`,
            `heddle.mqtt.stop-timeout` is `HEDDLE_MQTT_STOP_TIMEOUT` or `HEDDLE_MQTT_STOPTIMEOUT`), or in an `application.yaml` in the
            working directory. The broker does not start with an unknown name below `heddle.`, with an unknown variable `HEDDLE_*`, or with a
            variable without underscores, such as `HEDDLEMQTTPORT`. `./heddle` also rejects environment variables with a dot in their names,
            because shells do not pass them on.

            `./heddle` reads the value of a setting from a file if its variable ends with `_FILE`: `HEDDLE_POSTGRES_PASSWORD_FILE` names a
            file with the password.

            These variables are not settings: `HEDDLE_JAVA_OPTS` (options of the JVM that `./heddle` starts), `HEDDLE_STANDALONE` (`off` lets
            `./heddle` start no servers), `HEDDLE_STANDALONE_HOME` and the tests' `HEDDLE_TEST_*`. The broker ignores the variables that
            Kubernetes sets in each pod for a Service whose name begins with `heddle` (`HEDDLE_…_SERVICE_HOST`, `HEDDLE_…_SERVICE_PORT`,
            `HEDDLE_…_PORT_1883_TCP…`). For a Service named `heddle-mqtt` or `heddle-http`, Kubernetes also sets `HEDDLE_MQTT_PORT` or
            `HEDDLE_HTTP_PORT`, which hides the setting; the broker does not start: give the pod `enableServiceLinks: false`.

            Spring Boot's own settings (`logging.*`, `management.*`, `server.*`, `spring.*`) can be set in the same ways. The broker does not
            start with one that Spring Boot does not know, except in the environment, where other programs use similar names. Heddle manages the
            address of the HTTP listener and the files of the log: the broker does not start with `server.port`, `server.address`,
            `management.server.*`, `spring.main.web-application-type` or `logging.file.*`.

            `heddle.mqtt.listeners` is a list; `[]` stands for a number from 0 on. `heddle.mqtt.listeners[0].port` is
            `HEDDLE_MQTT_LISTENERS_0_PORT`. All elements must come from the same source: a list on the command line replaces one in a file.

            `--bind` sets `heddle.mqtt.bind` and `heddle.http.bind`. Only the addresses of the listeners for MQTT affect anonymous access:
            `heddle.http.bind=0.0.0.0` alone does not disable it. It lets other machines reach the REST API and the metrics, which require a
            sign-in, and the health, which does not.

            In the profile `standalone`, `heddle.buckets.count` is 16, `heddle.kafka.replication-factor` is 1, and each server whose address
            is not set is started as a child process. `./heddle` activates this profile, in addition to those in
            `spring.profiles.active`, unless `HEDDLE_STANDALONE` is `off` or the distribution contains no servers, as in the container image. Without the
            profile, the broker does not start with a `heddle.standalone.data-dir`.

            | Setting | Default | Description |
            |---|---|---|
            """;

    private record Setting(String type, String defaultValue, String description) {}

    @Test
    void thePageIsUpToDate() throws IOException {
        Path page = Path.of("..", "docs", "settings.md");
        String expected = page();
        if (Boolean.getBoolean("heddle.docs.write")) {
            Files.writeString(page, expected);
        }

        assertThat(page).content().isEqualTo(expected);
    }

    @Test
    void everySettingHasADescription() throws IOException {
        assertThat(settings())
                .hasSizeGreaterThan(30)
                .allSatisfy((name, setting) ->
                        assertThat(setting.description()).as(name).isNotBlank());
    }

    @Test
    void theStartChecksKnowTheSameKeys() throws IOException {
        assertThat(new SettingKeys().all()).containsExactlyElementsOf(settings().keySet());
    }

    private static String page() throws IOException {
        StringBuilder page = new StringBuilder(HEADER);
        settings()
                .forEach((name, setting) -> page.append("| `")
                        .append(name)
                        .append("` | ")
                        .append(setting.defaultValue().isEmpty() ? "" : "`" + setting.defaultValue() + "`")
                        .append(" | ")
                        .append(setting.description())
                        .append(" |\n"));
        return page.toString();
    }

    private static Map<String, Setting> settings() throws IOException {
        Map<String, Setting> settings = new TreeMap<>();
        ClassLoader classes = SettingsPageTest.class.getClassLoader();
        for (URL metadata : Collections.list(classes.getResources(METADATA))) {
            try (InputStream in = metadata.openStream()) {
                for (JsonNode property : new ObjectMapper().readTree(in).path("properties")) {
                    String name = property.path("name").asString();
                    if (name.startsWith("heddle.")) {
                        settings.merge(name, setting(property), SettingsPageTest::described);
                    }
                }
            }
        }
        return settings;
    }

    private static Setting setting(JsonNode property) {
        return new Setting(
                property.path("type").asString(""),
                defaultValue(property),
                property.path("description")
                        .asString("")
                        .replaceAll("\\s+", " ")
                        .replace("|", "\\|"));
    }

    private static String defaultValue(JsonNode property) {
        JsonNode value = property.path("defaultValue");
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (value.isArray()) {
            return value.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "));
        }
        String text = value.asString();
        // Spring's annotation processor writes the default of a list like List.toString, but a list is set without
        // brackets.
        return isList(property) && text.startsWith("[") && text.endsWith("]")
                ? text.substring(1, text.length() - 1)
                : text;
    }

    private static boolean isList(JsonNode property) {
        return property.path("type").asString("").startsWith("java.util.List<");
    }

    /** The metadata of another module describes the settings of its own records. */
    private static Setting described(Setting one, Setting other) {
        return one.description().isBlank() ? other : one;
    }
}
