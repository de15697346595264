package io.heddle.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.FileSystemResource;

/** Unknown names below {@code heddle} are rejected in every property source. */
final class UnknownSettingsTest {
    private static final String GROUP = "is a group of settings and has no value itself: set one of its settings, ";

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    private static String refusal(ThrowingCallable check) {
        RuntimeException failure = catchRuntimeException(check);
        assertThat(failure).isNotNull();
        return StartupFailure.sentence(failure);
    }

    private static void checkIn(String source, String name) {
        UnknownSettings.check(List.of(new MapPropertySource(source, Map.of(name, "5"))));
    }

    private List<PropertySource<?>> file(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("application.yaml"), yaml);
        return new YamlPropertySourceLoader().load("file", new FileSystemResource(file));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        heddle                       | heddle is a group of settings
        heddle.mqtt                  | heddle.mqtt is a group of settings
        heddle.authentication.anonymous | heddle.authentication.anonymous is a group of settings
        heddle.                      | unknown setting heddle.:
        heddle.mqtt.                 | unknown setting heddle.mqtt.:
        heddle..port                 | unknown setting heddle..port:
        heddle[0]                    | unknown setting heddle[0]:
        heddle.mqtt.port.number      | unknown setting heddle.mqtt.port.number:
        heddle.mqtt.port[0]          | unknown setting heddle.mqtt.port[0]:
        Heddle.mqtt.Prot             | unknown setting Heddle.mqtt.Prot:
        heddle.standalone.home       | unknown setting heddle.standalone.home:
        """)
    void unknownNamesAreRejectedOnTheCommandLine(String name, String expected) {
        assertThat(refusal(() -> checkIn("commandLineArgs", name))).startsWith("Heddle cannot start: " + expected);
    }

    @Test
    void theErrorNamesASystemPropertyLikeTheOptionOfTheJvm() {
        assertThat(refusal(() -> checkIn(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME, "heddle.bogus")))
                .contains("unknown setting heddle.bogus (-Dheddle.bogus for the JVM): correct or remove it");
        assertThat(refusal(() -> checkIn(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME, "heddle.mqtt")))
                .contains("heddle.mqtt (-Dheddle.mqtt for the JVM) " + GROUP + "heddle.mqtt.*");
    }

    @Test
    void theErrorNamesTheVariableOfJson() {
        assertThat(refusal(() -> checkIn("spring.application.json", "heddle.bogus")))
                .contains("unknown setting heddle.bogus (in SPRING_APPLICATION_JSON)");
    }

    @Test
    void theErrorNamesTheFileAndTheLine() throws Exception {
        List<PropertySource<?>> group = file("heddle: 5");
        assertThat(refusal(() -> UnknownSettings.check(group)))
                .contains("heddle (in " + directory + "/application.yaml, line 1) " + GROUP + "heddle.*");

        List<PropertySource<?>> both = file("heddle:\n  mqtt: 5\n  \"\": 3\n");
        assertThat(refusal(() -> UnknownSettings.check(both)))
                .contains("unknown setting heddle. (in " + directory + "/application.yaml, line 3)");

        List<PropertySource<?>> list = file("heddle: [mqtt, http]");
        assertThat(refusal(() -> UnknownSettings.check(list))).contains("unknown setting heddle[0] (in ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "heddle:",
                "heddle:\n  mqtt:\n    # port: 1884\n",
                "heddle:\n  kafka:\n    properties: {}\n",
                "heddle:\n  authentication:\n    anonymous:\n      application-clients: [a, b]\n",
                "heddle:\n  mqtt: {eventLoops: 1}\n  kafka: {properties: {security.protocol: SSL}}\n",
                "heddler: 5",
            })
    void settingsAndEmptyGroupsInAFileAreAccepted(String yaml) throws Exception {
        List<PropertySource<?>> sources = file(yaml);

        assertThatNoException().isThrownBy(() -> UnknownSettings.check(sources));
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEDDLE", "heddle", "heddle.bogus", "HEDDLE_MQTT", "HEDDLE_", "HEDDLE_KAFKA_PROPERTIES_"})
    void unknownVariablesAreRejected(String name) {
        assertThat(refusal(() -> checkIn(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, name)))
                .contains("unknown setting " + name + " in the environment: correct or remove it");
    }
}
