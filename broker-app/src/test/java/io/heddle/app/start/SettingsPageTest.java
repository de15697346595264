package io.heddle.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * docs/settings.md is made from the settings records: {@code -Dheddle.docs.write=true} writes it, otherwise it must be what would be
 * written. So it also records every default.
 */
final class SettingsPageTest {
    private static final String METADATA = "META-INF/spring-configuration-metadata.json";
    private static final String HEADER = """
            # Settings

            Every setting, its default and its meaning. Made from the settings records; don't edit (CONTRIBUTING.md has the command).

            A setting is given as `--key=value` on the command line, in the environment (`heddle.mqtt.port` is `HEDDLE_MQTT_PORT`,
            `heddle.mqtt.stop-timeout` is `HEDDLE_MQTT_STOPTIMEOUT` or `HEDDLE_MQTT_STOP_TIMEOUT`), or in an `application.yaml` in the
            working directory. What begins with `heddle.` or, in the environment, with `HEDDLE_` and does not stand here ends the start, wherever
            it is, and so does a variable that lacks the underscores, like `HEDDLEMQTTPORT`. `./heddle` also refuses such a name with a dot
            in the environment, because shells do not hand it on.

            Not settings are the variables `HEDDLE_JAVA_OPTS` (options for the JVM that `./heddle` starts), `HEDDLE_STANDALONE_HOME`
            and the tests' `HEDDLE_TEST_*`; and those that Kubernetes gives each pod for a Service whose name begins with `heddle`
            (`HEDDLE_…_SERVICE_HOST`, `HEDDLE_…_SERVICE_PORT`, `HEDDLE_…_PORT_1883_TCP…`) are ignored. A Service named `heddle-mqtt` or
            `heddle-http` also makes a `HEDDLE_MQTT_PORT` or `HEDDLE_HTTP_PORT` that hides the setting, which ends the start: give the pod
            `enableServiceLinks: false`.

            Spring Boot's own settings (`logging.*`, `management.*`, `server.*`, `spring.*`) can be given in the same ways. One that Spring
            Boot does not know ends the start, except in the environment, where other programs have names like these. Where the HTTP listener is and where the log goes are
            Heddle's to say; Spring Boot's `server.port`, `server.address`, `management.server.*`, `spring.main.web-application-type` and
            `logging.file.*` end the start.

            `--bind` is short for `heddle.mqtt.bind` and `heddle.http.bind`. Only where MQTT listens decides about anonymous clients:
            `heddle.http.bind=0.0.0.0` alone leaves them as they are, and lets other machines reach the REST API and the metrics, which
            ask everybody to sign in, and the health, which does not.

            In the profile `standalone`, which `./heddle` uses, `heddle.buckets.count` is 16, `heddle.kafka.replication-factor` is 1, and
            a server whose address is not set is started as a child process. `./heddle` always has it, beside those that
            `spring.profiles.active` names; a `heddle.standalone.data-dir` without it ends the start.

            | Setting | Default | Meaning |
            |---|---|---|
            """;

    private record Setting(String type, String defaultValue, String description) {}

    @Test
    void thePageIsWhatTheRecordsSay() throws IOException {
        Path page = Path.of("..", "docs", "settings.md");
        String expected = page();
        if (Boolean.getBoolean("heddle.docs.write")) {
            Files.writeString(page, expected);
        }

        assertThat(page).content().isEqualTo(expected);
    }

    @Test
    void everySettingHasAMeaning() throws IOException {
        assertThat(settings())
                .hasSizeGreaterThan(30)
                .allSatisfy((name, setting) ->
                        assertThat(setting.description()).as(name).isNotBlank());
    }

    @Test
    void theKeysThatTheEnvironmentIsCheckedAgainstAreThese() throws IOException {
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
                defaultValue(property.path("defaultValue")),
                property.path("description")
                        .asString("")
                        .replaceAll("\\s+", " ")
                        .replace("|", "\\|"));
    }

    private static String defaultValue(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (value.isArray()) {
            return String.join(",", List.of(value.toString().replaceAll("[\\[\\]\"]", "")));
        }
        return value.asString();
    }

    /** A record of another module is described where it lies. */
    private static Setting described(Setting one, Setting other) {
        return one.description().isBlank() ? other : one;
    }
}
