package io.heddle.app.packaging;

import static io.heddle.app.packaging.ComposeFile.mapping;
import static io.heddle.app.packaging.ComposeFile.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.listeners.ConfiguredListeners;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.MqttSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The files for Docker Compose, read without Docker. */
final class ComposeFilesTest {
    private static final Pattern PINNED = Pattern.compile("[a-z0-9./-]+:\\d+\\.\\d+(\\.\\d+)?(-[a-z0-9.-]+)?");
    private static final String OWN_IMAGE = "heddle:";
    /** Ends by itself. */
    private static final String CREDENTIALS = "credentials";

    private static final Pattern VARIABLE_WITH_LISTENER = Pattern.compile("HEDDLE_MQTT_LISTENERS_\\d+_PORT");
    private static final Pattern SERVER = Pattern.compile("(?m)^ +server \\S+ ([a-z0-9-]+):(\\d+)$");
    private static final Pattern SECRET = Pattern.compile("/run/secrets/([a-z0-9.-]+)");

    private static Stream<ComposeFile> files() throws IOException {
        return Stream.of(
                ComposeFile.read("compose.yaml"),
                ComposeFile.read("compose.standalone.yaml"),
                ComposeFile.read("compose.yaml", "compose.cluster.yaml"));
    }

    private static void eachService(ComposeFile file, BiConsumer<String, Map<String, Object>> check) {
        assertThat(file.services()).isNotEmpty();
        file.services().forEach(check);
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyImageHasAPinnedTag(ComposeFile file) {
        eachService(
                file,
                (name, service) -> assertThat(String.valueOf(service.get("image")))
                        .as(name)
                        .matches(PINNED));
    }

    @ParameterizedTest
    @MethodSource("files")
    void everySettingOfTheBrokerExists(ComposeFile file) throws IOException {
        DocumentedSettings settings = DocumentedSettings.read();
        assertThat(settings.count()).isGreaterThan(100);
        eachService(file, (name, service) -> {
            if (isOwn(service)) {
                assertThat(mapping(service.get("environment")).keySet())
                        .as(name)
                        .allMatch(settings::contains);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyServiceHasAHealthCheckAndLimits(ComposeFile file) {
        eachService(file, (name, service) -> {
            // The images of Heddle bring their check.
            if (!isOwn(service)) {
                assertThat(mapping(service.get("healthcheck")))
                        .as(name)
                        .containsKeys("test", "interval", "timeout", "retries");
            }
            assertThat(service).as(name).containsKeys("mem_limit", "cpus");
            assertThat(service.get("restart")).as(name).isEqualTo(name.equals(CREDENTIALS) ? "no" : "unless-stopped");
        });
    }

    @ParameterizedTest
    @MethodSource("files")
    void theBrokersHaveNoPrivileges(ComposeFile file) {
        eachService(file, (name, service) -> {
            if (isOwn(service)) {
                assertThat(service)
                        .as(name)
                        .containsEntry("user", "10001:10001")
                        .containsEntry("read_only", true)
                        .containsEntry("cap_drop", List.of("ALL"))
                        .containsEntry("security_opt", List.of("no-new-privileges:true"));
                assertThat(texts(service.get("tmpfs")))
                        .as(name)
                        .singleElement()
                        .asString()
                        .startsWith("/tmp:");
            }
        });
    }

    @ParameterizedTest
    @MethodSource("files")
    void servicesWaitForThoseTheyNeed(ComposeFile file) {
        Map<String, Map<String, Object>> services = file.services();
        eachService(
                file,
                (name, service) -> mapping(service.get("depends_on")).forEach((other, condition) -> {
                    assertThat(services).as(name).containsKey(other);
                    assertThat(mapping(condition).get("condition"))
                            .as(name + " waits for " + other)
                            .isEqualTo(
                                    other.equals(CREDENTIALS) ? "service_completed_successfully" : "service_healthy");
                }));
        services.forEach((name, service) -> {
            if (isOwn(service) && mapping(service.get("environment")).containsKey("HEDDLE_KAFKA_BOOTSTRAP_SERVERS")) {
                assertThat(mapping(service.get("depends_on")))
                        .as(name)
                        .containsKeys("kafka", "redis", "postgres", CREDENTIALS);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("files")
    void everySecretAndVolumeIsDefined(ComposeFile file) {
        List<String> secrets = file.defined("secrets");
        List<String> volumes = file.defined("volumes");
        eachService(file, (name, service) -> {
            assertThat(texts(service.get("secrets"))).as(name).isSubsetOf(secrets);
            List<String> used = Stream.of(
                            service.get("environment"), service.get("command"), service.get("healthcheck"))
                    .filter(Objects::nonNull)
                    .flatMap(part -> SECRET.matcher(part.toString()).results())
                    .map(secret -> secret.group(1))
                    .toList();
            assertThat(texts(service.get("secrets"))).as(name).containsAll(used);
            for (String volume : texts(service.get("volumes"))) {
                String source = volume.substring(0, volume.indexOf(':'));
                if (source.startsWith(".")) {
                    assertThat(ComposeFile.DIRECTORY.resolve(source)).as(name).exists();
                } else {
                    assertThat(volumes).as(name).contains(source);
                }
            }
        });
    }

    @ParameterizedTest
    @MethodSource("files")
    void noTwoServicesPublishTheSamePort(ComposeFile file) {
        List<String> published = file.services().values().stream()
                .flatMap(service -> texts(service.get("ports")).stream())
                .map(port -> port.substring(0, port.lastIndexOf(':')).replaceAll(".*:", ""))
                .toList();

        assertThat(published).isNotEmpty().doesNotHaveDuplicates().contains("1883");
    }

    /** The output and exit status of the import, and the exit status of the service. DataDirectory prints the refusal. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Stored: 2, rejected: 0                                                     | 0 | 0
        The data directory /var/lib/heddle is in use by another broker (pid 7): .. | 1 | 0
        Stored: 1, rejected: 1                                                     | 1 | 1
        Unknown option                                                             | 2 | 2
        """)
    void anImportFailsUnlessTheBrokerRuns(String answer, int status, int expected, @TempDir Path directory)
            throws Exception {
        Path heddle = directory.resolve("heddle");
        Files.writeString(heddle, "echo \"" + answer + "\" >&2\nexit " + status + "\n");
        ComposeFile file = ComposeFile.read("compose.standalone.yaml");
        Map<String, Object> service = mapping(file.services().get(CREDENTIALS));
        List<String> entrypoint = texts(service.get("entrypoint"));
        String script = entrypoint.getLast().replace("$$", "$").replace("/opt/heddle/heddle", "sh " + heddle);

        Process shell = new ProcessBuilder("sh", "-c", script).start();

        assertThat(entrypoint).startsWith("sh", "-c").hasSize(3);
        assertThat(shell.waitFor()).isEqualTo(expected);
    }

    @Test
    void theSecretsAreThoseThatTheScriptCreates() throws IOException {
        String script = Files.readString(ComposeFile.DIRECTORY.resolve("create-secrets"));

        assertThat(ComposeFile.read("compose.yaml").defined("secrets"))
                .isNotEmpty()
                .allSatisfy(secret -> assertThat(script).contains(">secrets/" + secret + "\n"));
    }

    @Test
    void theStopLastsAsLongAsADrain() throws IOException {
        ComposeFile.read("compose.yaml", "compose.cluster.yaml").services().forEach((name, service) -> {
            if (isOwn(service) && !name.equals(CREDENTIALS)) {
                assertThat(service.get("stop_grace_period")).as(name).isEqualTo("315s");
            }
        });
    }

    @Test
    void haproxyUsesTheListenersOfAllBrokers() throws IOException {
        ComposeFile cluster = ComposeFile.read("compose.yaml", "compose.cluster.yaml");
        String configuration = Files.readString(ComposeFile.DIRECTORY.resolve(Path.of("haproxy", "haproxy.cfg")));
        List<String> servers = SERVER.matcher(configuration)
                .results()
                .map(server -> server.group(1) + ":" + server.group(2))
                .sorted()
                .toList();

        List<String> listeners = cluster.services().entrySet().stream()
                .filter(service -> service.getKey().startsWith("broker"))
                .flatMap(service -> mapping(service.getValue().get("environment")).entrySet().stream()
                        .filter(variable -> VARIABLE_WITH_LISTENER
                                .matcher(variable.getKey())
                                .matches())
                        .map(variable -> service.getKey() + ":" + variable.getValue()))
                .sorted()
                .toList();

        assertThat(listeners).hasSize(6);
        assertThat(servers).isEqualTo(listeners);
        assertThat(configuration).contains("send-proxy-v2", "/actuator/health/serving");
    }

    @Test
    void theListenersForHaproxyTakeTheAddressesOfClientsFromIt() throws IOException {
        ComposeFile cluster = ComposeFile.read("compose.yaml", "compose.cluster.yaml");
        List<PropertySource<?>> variables = List.of(new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, cluster.environment("broker-2")));

        ConfiguredListeners listeners = new Binder(ConfigurationPropertySources.from(variables))
                .bindOrCreate(HeddleSettings.PREFIX + ".mqtt", MqttSettings.class)
                .allListeners();

        assertThat(listeners.all())
                .hasSize(2)
                .allMatch(listener -> listener.settings().proxyProtocol())
                .allMatch(listener -> listener.settings().trustedProxies().equals(List.of("172.30.83.0/24")));
    }

    @Test
    void nodesOfTheClusterHaveDifferentIds() throws IOException {
        List<Object> ids = ComposeFile.read("compose.yaml", "compose.cluster.yaml").services().values().stream()
                .map(service -> mapping(service.get("environment")).get("HEDDLE_NODE_ID"))
                .filter(Objects::nonNull)
                .toList();

        assertThat(ids).containsExactlyInAnyOrder("broker-1", "broker-2", "broker-3");
    }

    private static boolean isOwn(Map<String, Object> service) {
        String image = String.valueOf(service.get("image"));
        return image.startsWith(OWN_IMAGE) || image.startsWith("heddle-standalone:");
    }
}
