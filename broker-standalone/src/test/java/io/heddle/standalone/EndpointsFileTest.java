package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.standalone.directory.PrivateFiles;
import io.heddle.standalone.directory.StandaloneException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndpointsFileTest {
    private static final Endpoints ENDPOINTS =
            new Endpoints("kafka:1", "secret", "redis://:s@h:2,redis://:s@h:3", "jdbc:x", "user", "other-secret");

    @TempDir
    Path directory;

    @Test
    void endpointsAreReadableByTheOwnerUntilTheyAreDeleted() throws IOException {
        EndpointsFile file = new EndpointsFile(directory);
        assertThat(Servers.runningEndpoints(directory)).isEmpty();

        file.write(ENDPOINTS);
        assertThat(Servers.runningEndpoints(directory)).contains(ENDPOINTS);
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory.resolve("endpoints.properties"))))
                .isEqualTo("rw-------");

        file.delete();
        assertThat(Servers.runningEndpoints(directory)).isEmpty();
    }

    @Test
    void endpointsOfAKilledBrokerAreIgnored() throws IOException {
        Properties left = EndpointsFile.toProperties(ENDPOINTS);
        left.setProperty("broker.process", "1 0 an-earlier-boot");
        PrivateFiles.write(directory.resolve("endpoints.properties"), left);

        assertThat(Servers.runningEndpoints(directory)).isEmpty();
    }

    @Test
    void propertiesHoldAllEndpoints() {
        assertThat(EndpointsFile.fromProperties(EndpointsFile.toProperties(ENDPOINTS)))
                .isEqualTo(ENDPOINTS);
    }

    @Test
    void damagedFileIsNamedWithTheRemedy() throws IOException {
        Path file = Files.writeString(directory.resolve("endpoints.properties"), "kafka=\\uzz");

        assertThatThrownBy(() -> Servers.runningEndpoints(directory))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(
                        file + ", which holds the endpoints of the running servers, is damaged", "delete");
    }
}
