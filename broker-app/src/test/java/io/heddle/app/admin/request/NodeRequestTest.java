package io.heddle.app.admin.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.process.ProcessIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class NodeRequestTest {
    private static NodeRequest request(String... arguments) {
        return CommandLine.populateCommand(new NodeRequest(), arguments);
    }

    /** Writes the file of a broker. */
    private static void announce(Path data, String name, String url, String process) throws Exception {
        Path run = Files.createDirectories(data.resolve("run"));
        Files.writeString(
                run.resolve("http-" + name + ".properties"),
                "node=" + name + "\nurl=" + url + "\nprocess=" + process + "\n");
    }

    @Test
    void anUnusableUrlIsRejectedBeforeThePasswordIsRead() {
        for (String url : new String[] {"127.0.0.1:8080", "mqtt://127.0.0.1", "http:///x", "http://a b", ""}) {
            assertThatThrownBy(() -> request("--url=" + url).connect())
                    .as(url)
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining("set it to a URL such as http://127.0.0.1:8080");
        }
    }

    @Test
    void aDirectoryWithoutABrokerIsNamed(@TempDir Path data) {
        assertThatThrownBy(() -> request("--data-dir", data.toString()).base())
                .isInstanceOf(StartupException.class)
                .hasMessage("no broker runs on " + data + ": start one, or name another one with --url");
        assertThatThrownBy(() ->
                        request("--data-dir", data.resolve("absent").toString()).base())
                .hasMessageContaining("no broker runs on ");
    }

    @Test
    void theEnvironmentNamesTheUsualDirectory(@TempDir Path data) throws Exception {
        String processOfThisTest =
                String.valueOf(ProcessIdentity.of(ProcessHandle.current().pid()));
        assertThat(new NodeRequest(data.toString()).base()).hasToString("http://127.0.0.1:8080");

        announce(data, "a", "http://127.0.0.1:4711", processOfThisTest);

        assertThat(new NodeRequest(data.toString()).base()).hasToString("http://127.0.0.1:4711");
    }

    @Test
    void aBrokerThatHasCrashedIsNamed(@TempDir Path data) throws Exception {
        announce(data, "a", "http://127.0.0.1:4711", "1 1 another-boot");

        assertThatThrownBy(() -> request("--data-dir", data.toString()).base())
                .isInstanceOf(StartupException.class)
                .hasMessage(
                        "the broker on " + data + " that listened at http://127.0.0.1:4711 has ended without a stop:"
                                + " start it, or name another one with --url");
        assertThat(request("--data-dir", data.toString(), "--url", "http://127.0.0.1:1/")
                        .base())
                .hasToString("http://127.0.0.1:1");
    }

    @Test
    void thePasswordIsReadFromItsFile(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("password"), "secret\n");
        try (ApiServer server = ApiServer.start();
                NodeClient node = request("--url", server.uri().toString(), "--password-file", file.toString())
                        .connect()) {
            var _ = node.get(ApiPath.of("node"));

            assertThat(server.headers()).containsExactly("Basic YWRtaW46c2VjcmV0 application/json");
        }
        assertThatThrownBy(() -> request("--url=http://127.0.0.1:1", "--password-file", directory.toString())
                        .connect())
                .hasMessageContaining("--password-file " + directory + " cannot be read");
    }
}
