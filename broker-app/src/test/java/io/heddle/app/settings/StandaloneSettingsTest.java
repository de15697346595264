package io.heddle.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class StandaloneSettingsTest {
    private static final String ACCOUNT = "/home/of-the-account";

    @Test
    void theHomeDirectoryIsTheOneInTheEnvironment() {
        assertThat(new StandaloneSettings("~/.heddle").dataDirectory("/elsewhere", ACCOUNT))
                .isEqualTo(Path.of("/elsewhere/.heddle"));
        assertThat(new StandaloneSettings("~").dataDirectory("/elsewhere", ACCOUNT))
                .isEqualTo(Path.of("/elsewhere"));
    }

    @Test
    void withoutOneItIsTheAccounts() {
        assertThat(new StandaloneSettings("~/.heddle").dataDirectory(null, ACCOUNT))
                .isEqualTo(Path.of(ACCOUNT, ".heddle"));
        assertThat(new StandaloneSettings("~/.heddle").dataDirectory("", ACCOUNT))
                .isEqualTo(Path.of(ACCOUNT, ".heddle"));
    }

    @Test
    void elsewhereHomesDoNotMatter() {
        assertThat(new StandaloneSettings("/srv/heddle").dataDirectory("/elsewhere", ACCOUNT))
                .isEqualTo(Path.of("/srv/heddle"));
        assertThat(new StandaloneSettings("~other").dataDirectory("/elsewhere", ACCOUNT))
                .isEqualTo(Path.of("~other").toAbsolutePath());
    }
}
