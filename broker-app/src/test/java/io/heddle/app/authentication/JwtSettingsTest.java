package io.heddle.app.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.TokenKey;
import io.heddle.persistence.jwt.KeySource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

final class JwtSettingsTest {
    @Test
    void aChangedSecretIsUsedAndAShortOneIsNot(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), "a".repeat(32));
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        KeySource keys = new Binder(new MapConfigurationPropertySource(
                        Map.of("heddle.authentication.jwt.hmac-key", file.toString())))
                .bind("heddle.authentication.jwt", JwtSettings.class)
                .get()
                .toKeySource(metrics);

        Set<TokenKey> first = keys.valid();
        Set<TokenKey> before = changed(keys, file, "b".repeat(33));
        assertThat(before).hasSize(1).isNotEqualTo(first);

        assertThat(changed(keys, file, "short")).isEqualTo(before);
        assertThat(metrics.counter("heddle.authentication.jwt.reloads", "result", "failure")
                        .count())
                .isOne();
    }

    private static Set<TokenKey> changed(KeySource keys, Path file, String secret) throws Exception {
        var _ = Files.writeString(file, secret);
        keys.refresh();
        keys.refresh();
        return Objects.requireNonNull(keys.valid());
    }
}
