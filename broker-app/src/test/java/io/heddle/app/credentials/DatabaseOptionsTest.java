package io.heddle.app.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.directory.StandaloneException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class DatabaseOptionsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    private static DatabaseOptions options(String... arguments) {
        return CommandLine.populateCommand(new DatabaseOptions(), arguments);
    }

    private static DatabaseOptions on(Path dataDirectory) {
        return options("--data-dir", dataDirectory.toString());
    }

    @Test
    void aDirectoryWithoutABrokerHasNoDatabaseAndIsNotCreated() {
        Path mistyped = directory.resolve("mistyped");

        assertThatThrownBy(() -> on(mistyped).requireStored())
                .isInstanceOf(StartupException.class)
                .hasMessage("no broker has kept its data in " + mistyped
                        + " yet: give its data directory with --data-dir, or start a broker there first");
        assertThatThrownBy(() -> on(directory).requireStored()).isInstanceOf(StartupException.class);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aFileInsteadOfADirectoryIsReportedAsAFile() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> on(file).requireStored())
                .isInstanceOf(StandaloneException.class)
                .hasMessageContaining(file + " is a file");
    }

    @Test
    void theDatabaseOfABrokerIsUsed() throws Exception {
        Files.writeString(directory.resolve("secrets.properties"), "kafka.cluster-id=0123\npostgresql.password=4567\n");
        Files.createDirectories(directory.resolve("postgresql/data"));

        assertThatNoException().isThrownBy(() -> on(directory).requireStored());
    }

    @Test
    void anExternalPostgresNeedsNoDirectory() {
        Path nowhere = directory.resolve("nowhere");

        assertThatNoException()
                .isThrownBy(() -> options(
                                "--data-dir",
                                nowhere.toString(),
                                "--heddle.postgres.url=jdbc:postgresql://localhost/heddle")
                        .requireStored());
    }

    @Test
    void withoutServersOfItsOwnTheCommandNamesTheSetting() {
        String home = System.clearProperty("heddle.standalone.home");
        try {
            assertThatThrownBy(() -> on(directory).with(_ -> 0))
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining("set HEDDLE_POSTGRES_URL, or use --heddle.postgres.url");
            assertThat(directory).isEmptyDirectory();
        } finally {
            if (home != null) {
                System.setProperty("heddle.standalone.home", home);
            }
        }
    }
}
