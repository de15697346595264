package io.heddle.app.start;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Configuration that cannot be read ends the start with one sentence that names the file and the line. */
final class BrokenConfigurationTest {
    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

    private @Nullable Level before;

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    /** Hides stack traces, which the operator does not see either. */
    @BeforeEach
    void quiet() {
        before = ROOT.getLevel();
        ROOT.setLevel(Level.OFF);
    }

    @AfterEach
    void loud() {
        ROOT.setLevel(before);
    }

    private static String sentence(String... arguments) {
        RuntimeException failure = catchRuntimeException(() -> new BrokerLifecycle().start(arguments));
        assertThat(failure).isNotNull();
        String sentence = StartupFailure.sentence(failure);
        assertThat(sentence).startsWith("Heddle cannot start: ").doesNotContain("\n");
        return sentence;
    }

    private String sentenceWithFile(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
        return sentence("--spring.config.additional-location=file:" + directory + "/");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    heddle:\\n  mqtt: {port: 1\\n bad: [   | application.yaml, line 3, is not YAML (expected ',' or '}'
                    heddle:\\n\\tmqtt: 1                   | application.yaml, line 2, is not YAML (found character '\\t(TAB)'
                    heddle:\\n  mqtt:\\n  mqtt:            | application.yaml, line 3, is not YAML (found duplicate key mqtt)
                    heddle: "\\u0000"                      | application.yaml is not YAML (special characters are not allowed)
                    heddle:\\n  mqtt:\\n    port: abc      | application.yaml, line 3) does not have a usable value: it must be a number
                    heddle:\\n  mqtt:\\n    port: [1, 2]   | unknown setting heddle.mqtt.port[0] (in
                    heddle:\\n  bogus: 5                   | application.yaml, line 2): correct or remove it
                    heddle: 5                              | application.yaml, line 1) is a group of settings
                    - heddle\\n- mqtt                      | application.yaml, line 1) has no name: write each setting with its name
                    heddle.mqtt.port=1884                  | application.yaml, line 1) has no name
                    a: 1\\n---\\n5                         | application.yaml, line 3) has no name
                    spring:\\n  nothing: 1                | unknown setting spring.nothing (in
                    logging:\\n  levels:\\n    root: info | application.yaml, line 3): Spring Boot has no setting of this name
                    server:\\n  port: 9000                 | application.yaml, line 2) is managed by Heddle: remove it
                    """)
    void theErrorNamesTheFileAndTheLine(String text, String expected) throws Exception {
        String written = text.replace("\\n", "\n").replace("\\t", "\t").replace("\\u0000", "\0");

        assertThat(sentenceWithFile("application.yaml", written)).contains(expected, directory.toString());
    }

    @Test
    void aDirectoryInPlaceOfAFileIsRejected() throws Exception {
        Path file = Files.createDirectory(directory.resolve("application.yaml"));

        assertThat(sentence("--spring.config.additional-location=file:" + directory + "/"))
                .contains("the configuration file " + file + " is a directory: replace it with a file");
    }

    @Test
    void theErrorNamesTheOriginOfAnUnknownSetting() {
        System.setProperty("server.prot", "1");
        try {
            assertThat(sentence()).contains("unknown setting server.prot (-Dserver.prot for the JVM)");
        } finally {
            System.clearProperty("server.prot");
        }
        System.setProperty("spring.application.json", "{\"management\": {\"endpoint\": 1}}");
        try {
            assertThat(sentence()).contains("unknown setting management.endpoint (in SPRING_APPLICATION_JSON)");
        } finally {
            System.clearProperty("spring.application.json");
        }
    }

    /** The error for the port shows that everything before it was accepted. */
    @Test
    void aFileMayHoldSettingsOfSpringBoot() throws Exception {
        assertThat(sentenceWithFile("application.yaml", """
                        logging:
                          level: {io.heddle: debug}
                        management:
                          metrics:
                            tags: {region: north}
                        server:
                          tomcat:
                            threads: {max: 10}
                        heddle:
                          mqtt:
                            port: abc
                        ---
                        spring:
                          config:
                            activate: {on-profile: other}
                        """)).contains("heddle.mqtt.port", "must be a number");
    }

    @Test
    void anUnknownLogLevelIsRejectedWithAllLevels() {
        assertThat(sentence("--logging.level.io.heddle=BLAH"))
                .contains("the setting logging.level", "one of trace, debug, info, warn, error, fatal, off");
    }

    @Test
    void anUnreadableLogConfigurationIsRejected() throws Exception {
        assertThat(sentence("--logging.config=/nowhere.xml"))
                .contains("logging.config is /nowhere.xml, which does not exist: set it to a configuration of Logback");
        assertThat(sentence("--logging.config=" + directory)).contains("logging.config is " + directory + ", which is");
        Path broken = Files.writeString(directory.resolve("log.xml"), "<configuration>");
        assertThat(sentence("--logging.config=file:" + broken)).contains("log.xml, which is not XML (");
    }

    @Test
    void aSettingOfTheLogWithoutEffectIsRejected() {
        assertThat(sentence("--logging.structured.format.file=ecs"))
                .contains("logging.structured.format.file", "no effect", "set logging.structured.format.console");
        assertThat(sentence("--spring.profiles.active=standalone", "--logging.structured.format.console=ecs"))
                .contains("logging.structured.format.console", "no effect", "set logging.structured.format.file");
        assertThat(sentence("--logging.pattern.console=%m"))
                .contains("logging.pattern.console", "no effect", "logging.config");
        assertThat(sentence("--logging.structured.format.console=json"))
                .contains("logging.structured.format.console", "is json: set it to ecs, gelf or logstash");
    }

    @Test
    void eachLineIsAJsonObjectIfTheLogIsStructured() {
        String wrongAddress = "--heddle.http.bind=192.0.2.1";
        String freePort = "--mqtt-port=0";
        // Spring Boot prefers the configuration of the tests if that is on the class path.
        String productConfiguration = "--logging.config=classpath:logback-spring.xml";
        String forged = "clientId=a\nforged";
        PrintStream terminal = System.out;
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        System.setOut(new PrintStream(lines, true, UTF_8));
        try {
            // Logging is set up before the addresses are checked.
            assertThat(sentence(
                            wrongAddress, freePort, productConfiguration, "--logging.structured.format.console=ecs"))
                    .contains("cannot use the address");
            ROOT.info(forged);
            JsonNode line = JsonMapper.shared()
                    .readTree(lines.toString(UTF_8).lines().toList().getLast());
            assertThat(line.path("message").asString()).isEqualTo(forged);
            assertThat(line.path("ecs").path("version").asString()).isNotEmpty();
            lines.reset();

            assertThat(sentence(wrongAddress, freePort, productConfiguration)).contains("cannot use the address");
            ROOT.info(forged);
            assertThat(lines.toString(UTF_8)).contains(" INFO ", "clientId=a\\u000aforged");
        } finally {
            System.setOut(terminal);
        }
    }

    @Test
    void theErrorNamesTheFileOfBrokenProperties() throws Exception {
        assertThat(sentenceWithFile("application.properties", "heddle.mqtt.bind=\\uZZZZ"))
                .contains("the configuration file " + directory + "/application.properties cannot be used");
    }

    @Test
    void aMissingLocationIsRejectedWithTheSettingsThatMayNameIt() {
        assertThat(sentence("--spring.config.location=" + directory + "/nowhere/"))
                .contains("location '" + directory + "/nowhere/' does not exist", "correct spring.config.location");
    }

    @Test
    void anInvalidProfileOrLocationIsRejected() {
        assertThat(sentence("--spring.profiles.active=a*b"))
                .contains("the configuration cannot be used", "a*b", "correct or remove it");
        assertThat(sentence("--spring.config.additional-location=http:foo"))
                .contains("the configuration cannot be used", "http:foo", "correct or remove it");
    }

    @Test
    void theErrorNamesTheVariableOfBrokenJson() {
        System.setProperty("spring.application.json", "{bogus");
        try {
            assertThat(sentence()).contains("SPRING_APPLICATION_JSON in the environment", "is not JSON");
        } finally {
            System.clearProperty("spring.application.json");
        }
    }

    @Test
    void aSingleValueThatSpringBootCannotReadIsRejectedWithItsType() {
        assertThat(sentence("--spring.threads.virtual.enabled=foo", "--mqtt-port=0", "--http-port=0"))
                .contains("a setting of Spring Boot (spring.*,", "has the value 'foo'", "it must be true or false");
    }

    @Test
    void aBrokerWithoutAWebServerIsRejected() throws Exception {
        String expected = "spring.main.web-application-type is managed by Heddle: remove it";

        assertThat(sentence("--spring.main.web-application-type=none")).contains(expected);
        assertThat(sentenceWithFile("application.yaml", "spring:\n  main:\n    webApplicationType: none\n"))
                .contains("spring.main.webApplicationType (in " + directory, "line 3) is managed by Heddle");
    }
}
