package io.heddle.app.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AnnouncedAddressTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path data;

    private AnnouncedAddress address(String bind) throws Exception {
        return new AnnouncedAddress(data, "node-1", "http", InetAddress.getByName(bind));
    }

    @Test
    void theAddressIsThereUntilTheNodeStops() throws Exception {
        AnnouncedAddress address = address("127.0.0.1");

        address.announce(4711);
        assertThat(new LocalBrokers(data).all())
                .containsExactly(new LocalBroker("node-1", "http://127.0.0.1:4711", true));

        address.close();
        assertThat(new LocalBrokers(data).all()).isEmpty();
        address.close();
    }

    @Test
    void aListenerOfAllAddressesIsReachedOverLoopback() throws Exception {
        address("0.0.0.0").announce(1);
        assertThat(new LocalBrokers(data).all().getFirst().url()).isEqualTo("http://127.0.0.1:1");

        address("::").announce(1);
        assertThat(new LocalBrokers(data).all().getFirst().url()).isEqualTo("http://[::1]:1");
    }

    @Test
    void filesOfEndedProcessesAreRemovedByTheNextBroker() throws Exception {
        Path run = Files.createDirectories(data.resolve("run"));
        Path stale = run.resolve("http-1.properties");
        Files.writeString(stale, "node=a\nurl=http://127.0.0.1:1\nprocess=1 1 another-boot\n");
        Files.writeString(run.resolve("http-2.properties"), "\\uXYZ");
        assertThat(new LocalBrokers(data).all()).containsExactly(new LocalBroker("a", "http://127.0.0.1:1", false));

        address("127.0.0.1").announce(2);

        assertThat(stale).doesNotExist();
        assertThat(new LocalBrokers(data).all()).containsExactly(new LocalBroker("node-1", "http://127.0.0.1:2", true));
    }

    @Test
    void aNodeWithoutADataDirectoryAnnouncesNothing() throws Exception {
        try (AnnouncedAddress address = new AnnouncedAddress(null, "a", "http", InetAddress.getLoopbackAddress())) {
            address.announce(1);
        }
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void aDirectoryThatCannotBeWrittenDoesNotStopTheNode() throws Exception {
        Files.writeString(data.resolve("run"), "a file");

        address("127.0.0.1").announce(1);

        assertThat(data.resolve("run")).isRegularFile();
    }
}
