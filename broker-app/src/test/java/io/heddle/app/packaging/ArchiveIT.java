package io.heddle.app.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import io.heddle.app.HiveMqGoodbye;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive of the profile {@code dist}: its entries, and a broker of it as a user without privileges, from a directory in which that user
 * cannot write, with nothing in the environment. Skipped in builds without the profile.
 */
@Tag("ci")
final class ArchiveIT {
    private static final String ARCHIVE = System.getProperty("test.archive", "");
    private static final Duration READY_WITHIN = Duration.ofMinutes(5);
    private static final int WRITABLE_FOR_OTHERS = 0022;
    /** The id of the user that Debian calls nobody. */
    private static final String NOBODY = "65534";
    /** The id of a user without a name, as containers have. */
    private static final String NAMELESS = "12345";

    private static final Pattern LISTENER = Pattern.compile("mqtt: tcp://127\\.0\\.0\\.1:(\\d+)");

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @BeforeEach
    void requireTheArchive() {
        assumeThat(ARCHIVE)
                .as("the profile dist has built an archive")
                .satisfies(path -> assertThat(Path.of(path)).isRegularFile());
    }

    private static List<TarArchiveEntry> entries() throws IOException {
        List<TarArchiveEntry> entries = new ArrayList<>();
        try (InputStream file = Files.newInputStream(Path.of(ARCHIVE));
                TarArchiveInputStream archive = new TarArchiveInputStream(new GZIPInputStream(file))) {
            for (TarArchiveEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                entries.add(entry);
            }
        }
        return entries;
    }

    @Test
    void entriesBelongToRootAndHaveAFixedTime() throws IOException {
        List<TarArchiveEntry> entries = entries();

        assertThat(entries)
                .hasSizeGreaterThan(100)
                .allMatch(entry -> entry.getLongUserId() == 0 && entry.getLongGroupId() == 0)
                .allMatch(entry -> entry.getUserName().equals("root"))
                .allMatch(entry -> (entry.getMode() & WRITABLE_FOR_OTHERS) == 0);
        assertThat(entries.stream().map(TarArchiveEntry::getLastModifiedDate).distinct())
                .hasSize(1);
        assertThat(entries.stream().map(TarArchiveEntry::getName))
                .noneMatch(name -> name.endsWith(".aot") || name.endsWith(".log"));
    }

    @Test
    void theArchiveHasLicencesAndNotices() throws IOException {
        assertThat(entries().stream().map(entry -> entry.getName().replaceFirst("^[^/]+/", "")))
                .contains(
                        "LICENSE",
                        "NOTICE",
                        "README.md",
                        "CHANGELOG.md",
                        "SECURITY.md",
                        "THIRD-PARTY.txt",
                        "THIRD-PARTY-KAFKA.txt",
                        "docs/install.md",
                        "heddle",
                        "lib/start-cache.sh",
                        "systemd/heddle.service")
                .containsAll(licenceTexts());
    }

    @Test
    void theArchiveListsItsLibrariesInTheFormatCycloneDx() throws Exception {
        Path sbom = unpack().resolve("sbom");

        assertThat(Files.readString(sbom.resolve("heddle.cdx.json")))
                .contains("\"bomFormat\" : \"CycloneDX\"", "pkg:maven/io.netty/netty-handler@")
                .doesNotContain("pkg:maven/org.junit.jupiter/");
        assertThat(Files.readString(sbom.resolve("kafka.cdx.json")))
                .contains("\"bomFormat\" : \"CycloneDX\"", "pkg:maven/org.apache.kafka/kafka_2.13@");
        assertThat(Files.readString(sbom.resolve("servers.cdx.json")))
                .contains("\"bomFormat\": \"CycloneDX\"", "\"redis\"", "\"postgresql\"");
    }

    /** Returns the names of the licence texts. {@link NoticeIT} checks that none is missing. */
    private static List<String> licenceTexts() throws IOException {
        try (Stream<Path> texts = Files.list(Path.of("..", "packaging", "licenses"))) {
            return texts.map(text -> "licenses/" + text.getFileName()).toList();
        }
    }

    @Test
    void linksOfThePagesLeadToFilesOfTheArchive() throws Exception {
        Path unpacked = unpack();

        List<String> broken = new ArrayList<>();
        for (Path page : MarkdownLinks.pages(unpacked)) {
            broken.addAll(MarkdownLinks.broken(unpacked, page));
        }

        assertThat(broken).isEmpty();
        assertThat(unpacked.resolve("k8s/helm/heddle/files/alerts.yaml")).isNotEmptyFile();
    }

    private Path unpack() throws IOException, InterruptedException {
        run("tar", "-xzf", ARCHIVE, "-C", directory.toString());
        return directory.resolve(Path.of(ARCHIVE).getFileName().toString().replace(".tar.gz", ""));
    }

    /** Returns a user without a name, unless PostgreSQL could not run for one, because the system forbids user namespaces. */
    private static String user() throws IOException, InterruptedException {
        List<String> namespace = new ArrayList<>(as(NAMELESS));
        namespace.addAll(List.of("unshare", "-U", "true"));
        Process process = new ProcessBuilder(namespace)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor() == 0 ? NAMELESS : NOBODY;
    }

    private static List<String> as(String user) {
        return List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups");
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    @Test
    @Timeout(value = 6, unit = TimeUnit.MINUTES)
    void brokerRunsOnAJreAsAnotherUserFromADirectoryInWhichItCannotWrite() throws Exception {
        run("chmod", "0755", directory.toString());
        Path jre = directory.resolve("jre");
        run(
                Path.of(System.getProperty("java.home"), "bin", "jlink").toString(),
                "--add-modules",
                "java.se,jdk.unsupported,jdk.management,jdk.net,jdk.zipfs,jdk.crypto.ec,jdk.naming.dns",
                "--output",
                jre.toString());
        assertThat(jre.resolve("bin/javac")).doesNotExist();
        Path unpacked = unpack();
        Path home = Files.createDirectory(directory.resolve("home"));
        boolean isRoot = System.getProperty("user.name").equals("root");
        String user = isRoot ? user() : "";
        if (isRoot) {
            run("chown", "-R", user + ":" + user, home.toString());
        } else {
            Files.setPosixFilePermissions(unpacked.resolve("lib"), PosixFilePermissions.fromString("r-xr-xr-x"));
        }
        List<String> command = new ArrayList<>();
        if (isRoot) {
            command.addAll(as(user));
        }
        command.addAll(List.of("env", "-i", "PATH=/usr/bin", "HOME=" + home, "JAVA_HOME=" + jre));
        command.add(unpacked.resolve("heddle").toString());
        command.addAll(List.of(
                "--mqtt-port",
                "0",
                "--http-port",
                "0",
                "--data-dir",
                home.resolve("data").toString()));
        Path output = directory.resolve("output");

        Process broker = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            await().atMost(READY_WITHIN)
                    .until(() -> !broker.isAlive() || Files.readString(output).contains("Heddle is ready"));
            assertThat(broker.isAlive()).as(Files.readString(output)).isTrue();
            Matcher listener = LISTENER.matcher(Files.readString(output));
            assertThat(listener.find()).isTrue();
            assertThat(echo(Integer.parseInt(listener.group(1)))).isEqualTo("hello");
            assertThat(home.resolve("data/log/heddle.log")).isNotEmptyFile();
        } finally {
            broker.destroy();
            assertThat(broker.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    /** Returns a message that a client has published to itself. */
    private static String echo(int port) throws InterruptedException {
        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .identifier("archive")
                .serverHost("127.0.0.1")
                .serverPort(port)
                .buildBlocking();
        client.connect();
        try (Mqtt5BlockingClient.Mqtt5Publishes publishes = client.publishes(MqttGlobalPublishFilter.SUBSCRIBED)) {
            client.subscribeWith()
                    .topicFilter("archive")
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .send();
            client.publishWith()
                    .topic("archive")
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .payload("hello".getBytes(UTF_8))
                    .send();
            return publishes
                    .receive(1, TimeUnit.MINUTES)
                    .map(message -> new String(message.getPayloadAsBytes(), UTF_8))
                    .orElse("nothing");
        } finally {
            HiveMqGoodbye.disconnect(client);
        }
    }
}
