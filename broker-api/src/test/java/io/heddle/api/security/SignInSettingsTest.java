package io.heddle.api.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.lifecycle.StartupException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

final class SignInSettingsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void theDefaultsAreTenFailuresInAMinute() {
        SignInSettings defaults = new Binder(new MapConfigurationPropertySource(Map.of()))
                .bindOrCreate("heddle.administration.sign-in", SignInSettings.class);

        assertThat(defaults).isEqualTo(new SignInSettings(10, MINUTE, MINUTE, MINUTE, 2));
    }

    @Test
    void invalidValuesAreRejectedWithTheirKeyAndTheRemedy() {
        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(() -> new SignInSettings(0, MINUTE, MINUTE, MINUTE, 2))
                .withMessage("heddle.administration.sign-in.max-failures is 0: set it to 1 or more");
        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(() -> new SignInSettings(10, MINUTE, Duration.ZERO, MINUTE, 2))
                .withMessageContaining("heddle.administration.sign-in.lockout");
        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(() -> new SignInSettings(10, Duration.ofSeconds(-1), MINUTE, MINUTE, 2))
                .withMessageContaining("heddle.administration.sign-in.failure-window");
        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(() -> new SignInSettings(10, MINUTE, MINUTE, Duration.ZERO, 2))
                .withMessageContaining("heddle.administration.sign-in.remember");
        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(() -> new SignInSettings(10, MINUTE, MINUTE, MINUTE, 0))
                .withMessageContaining("heddle.administration.sign-in.max-concurrent-verifications");
    }
}
