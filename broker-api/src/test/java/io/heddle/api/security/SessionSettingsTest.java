package io.heddle.api.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.lifecycle.StartupException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

final class SessionSettingsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void theDefaultsAreThirtyMinutesAndTwelveHours() {
        SessionSettings defaults = new Binder(new MapConfigurationPropertySource(Map.of()))
                .bindOrCreate("heddle.administration.session", SessionSettings.class);

        assertThat(defaults).isEqualTo(new SessionSettings(Duration.ofMinutes(30), HOUR.multipliedBy(12)));
    }

    @Test
    void invalidValuesAreRejectedWithTheirKeyAndTheRemedy() {
        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(() -> new SessionSettings(Duration.ofSeconds(119), HOUR))
                .withMessage(
                        "heddle.administration.session.idle-timeout is PT1M59S: set it to a duration from 2m to 30d");
        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(() -> new SessionSettings(HOUR, Duration.ofDays(31)))
                .withMessageContaining("heddle.administration.session.max-age");
    }
}
