package io.heddle.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDiskTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @Test
    void aDiskWithTooLittleSpaceSaysHowMuchIsMissingAndWhatFollows() {
        DataDisk disk = DataDisk.of(directory);

        assertThat(disk.shortage(disk.totalBytes() + (1 << 20)))
                .startsWith("only ")
                .contains("heddle.standalone.minimum-free (" + ((disk.totalBytes() >> 20) + 1) + " MB)")
                .contains("the broker refuses publishes that must be stored");
    }

    @Test
    void aDiskWithEnoughSpaceSaysNothing() {
        assertThat(DataDisk.of(directory).shortage(0)).isNull();
    }
}
