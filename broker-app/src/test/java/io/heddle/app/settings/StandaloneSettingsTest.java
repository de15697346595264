package io.heddle.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

final class StandaloneSettingsTest {
    private static final String ACCOUNT = "/home/of-the-account";

    private static StandaloneSettings settings(String dataDir) {
        return StandaloneSettings.of(dataDir);
    }

    @Test
    void theMinimumFreeSpaceIsAFiftiethOfTheDiskWithinBounds() {
        assertThat(settings("/d").minimumFreeBytes(1L << 30)).isEqualTo(256 << 20);
        assertThat(settings("/d").minimumFreeBytes(25L << 30)).isEqualTo((25L << 30) / 50);
        assertThat(settings("/d").minimumFreeBytes(1L << 40)).isEqualTo(1 << 30);
        assertThat(new StandaloneSettings("/d", "auto", DataSize.ofMegabytes(5)).minimumFreeBytes(1L << 40))
                .isEqualTo(5 << 20);
    }

    @Test
    void theOptionNamesTheDirectoryUnlessItIsTheDefault() {
        assertThat(settings("~/.heddle").option()).isEmpty();
        assertThat(settings("/srv/heddle").option()).isEqualTo(" --data-dir /srv/heddle");
        assertThat(settings("/srv/it's mine").option()).isEqualTo(" --data-dir '/srv/it'\\''s mine'");
    }

    @Test
    void theHomeDirectoryComesFromTheEnvironment() {
        assertThat(settings("~/.heddle").dataDirectory("/elsewhere", ACCOUNT)).isEqualTo(Path.of("/elsewhere/.heddle"));
        assertThat(settings("~").dataDirectory("/elsewhere", ACCOUNT)).isEqualTo(Path.of("/elsewhere"));
    }

    @Test
    void withoutTheVariableTheHomeDirectoryComesFromTheAccount() {
        assertThat(settings("~/.heddle").dataDirectory(null, ACCOUNT)).isEqualTo(Path.of(ACCOUNT, ".heddle"));
        assertThat(settings("~/.heddle").dataDirectory("", ACCOUNT)).isEqualTo(Path.of(ACCOUNT, ".heddle"));
    }

    @Test
    void otherPathsAreNotResolvedAgainstTheHomeDirectory() {
        assertThat(settings("/srv/heddle").dataDirectory("/elsewhere", ACCOUNT)).isEqualTo(Path.of("/srv/heddle"));
        assertThat(settings("~other").dataDirectory("/elsewhere", ACCOUNT))
                .isEqualTo(Path.of("~other").toAbsolutePath());
    }
}
