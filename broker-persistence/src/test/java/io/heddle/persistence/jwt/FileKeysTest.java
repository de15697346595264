package io.heddle.persistence.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.lifecycle.StartupException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys in a file that is replaced while the broker runs. */
final class FileKeysTest {
    private static final Signer OLD = Signer.of("ES256");
    private static final Signer NEW = Signer.of("EdDSA");

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final KeyFile file;
    private final FileKeys keys;
    private boolean isReadable = true;

    FileKeysTest(@TempDir Path directory) {
        file = new KeyFile(directory.resolve("keys.json"));
        file.write(OLD);
        keys = new FileKeys(file.path(), this::read, metrics);
    }

    private KeySet read() {
        if (!isReadable) {
            throw new StartupException("planted by a test", null);
        }
        return file.read();
    }

    @BeforeEach
    void refreshUnchanged() {
        refresh();
        assertThat(reloads("success")).isZero();
    }

    private void refresh() {
        keys.refresh();
        keys.refresh();
    }

    private boolean knows(Signer signer) {
        return keys.valid().contains(signer.tokenKey());
    }

    private double reloads(String result) {
        return metrics.counter("heddle.authentication.jwt.reloads", "result", result)
                .count();
    }

    @Test
    void aChangedFileIsUsedWhenItHasStoppedChanging() {
        file.write(OLD, NEW);
        keys.refresh();
        assertThat(knows(NEW)).isFalse();
        file.write(NEW);
        keys.refresh();
        assertThat(knows(NEW)).isFalse();

        keys.refresh();

        assertThat(knows(NEW)).isTrue();
        assertThat(knows(OLD)).isFalse();
        assertThat(reloads("success")).isOne();
    }

    @Test
    void aFileThatBecomesReadableWithoutAnotherChangeIsUsed() {
        isReadable = false;
        file.write(NEW);
        refresh();
        refresh();
        assertThat(knows(NEW)).isFalse();
        assertThat(reloads("failure")).isOne();

        // As after chmod.
        isReadable = true;
        keys.refresh();

        assertThat(knows(NEW)).isTrue();
        refresh();
        assertThat(reloads("success")).isOne();
        assertThat(reloads("failure")).isOne();
    }

    @Test
    void theLastKeysStayWhileTheFileIsWrongOrMissing() {
        file.text("garbage");
        refresh();
        refresh();
        assertThat(knows(OLD)).isTrue();
        assertThat(reloads("failure")).isOne();
        file.text("{\"keys\":[]}");
        refresh();
        assertThat(reloads("failure")).isEqualTo(2);
        file.delete();
        refresh();
        refresh();
        assertThat(knows(OLD)).isTrue();
        assertThat(reloads("failure")).isEqualTo(3);

        file.write(NEW);
        refresh();

        assertThat(knows(NEW)).isTrue();
        assertThat(reloads("success")).isOne();
        assertThat(reloads("failure")).isEqualTo(3);
    }
}
