package io.heddle.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.node.operation.EffectiveSetting;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

final class RunningSettingsTest {
    private static Map<String, EffectiveSetting> settings(String... arguments) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of("HEDDLE_HTTP_PORT", "8099")));
        environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(arguments));
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        SettingOrigin.STANDALONE, Map.of("heddle.buckets.maximum-bytes", "67638293504B")));
        HeddleSettings bound = new Binder(ConfigurationPropertySources.get(environment))
                .bindOrCreate(HeddleSettings.PREFIX, HeddleSettings.class);
        return new RunningSettings(bound, environment)
                .all().stream().collect(Collectors.toMap(EffectiveSetting::key, Function.identity()));
    }

    @Test
    void valuesHaveTheirOrigins() {
        Map<String, EffectiveSetting> settings =
                settings("--heddle.session.maximum-sessions=7", "--heddle.tracing.headers.authorization=x");

        assertThat(settings.get("heddle.session.maximum-sessions"))
                .isEqualTo(new EffectiveSetting("heddle.session.maximum-sessions", "7", "command line"));
        assertThat(settings.get("heddle.http.port"))
                .isEqualTo(new EffectiveSetting("heddle.http.port", "8099", "HEDDLE_HTTP_PORT in the environment"));
        assertThat(settings.get("heddle.buckets.maximum-bytes"))
                .isEqualTo(new EffectiveSetting("heddle.buckets.maximum-bytes", "67638293504B", "set by ./heddle"));
        assertThat(settings.get("heddle.kafka.bootstrap-servers"))
                .isEqualTo(new EffectiveSetting("heddle.kafka.bootstrap-servers", "localhost:9092", ""));
        assertThat(settings.get("heddle.tracing.headers"))
                .extracting(EffectiveSetting::origin)
                .isEqualTo("command line");
        assertThat(settings.get("heddle.kafka.properties"))
                .extracting(EffectiveSetting::origin)
                .isEqualTo("");
        assertThat(settings).containsKeys("heddle.cluster.lease", "heddle.mqtt.port");
    }

    @Test
    void secretsAreMasked() {
        Map<String, EffectiveSetting> settings = settings(
                "--heddle.postgres.url=jdbc:postgresql://db:5432/heddle?ssl=true",
                "--heddle.postgres.password=hunter2",
                "--heddle.redis.url=redis://ada:hunter2@one:6379,two:6379",
                "--heddle.kafka.properties.sasl.jaas.config=hunter2",
                "--heddle.mqtt.tls.certificate=server.p12",
                "--heddle.mqtt.tls.key-password=hunter2");

        assertThat(settings.values().toString()).doesNotContain("hunter2");
        assertThat(Objects.requireNonNull(settings.get("heddle.postgres.url")).value())
                .isEqualTo("jdbc:postgresql://db:5432/heddle?******");
        assertThat(Objects.requireNonNull(settings.get("heddle.redis.url")).value())
                .isEqualTo("redis://******@one:6379,two:6379");
        assertThat(Objects.requireNonNull(settings.get("heddle.postgres.password"))
                        .value())
                .isEqualTo("******");
        assertThat(Objects.requireNonNull(settings.get("heddle.mqtt.tls.key-password"))
                        .value())
                .isEqualTo("******");
    }

    @Test
    void settingsAboutPasswordsAreNotMasked() {
        Map<String, EffectiveSetting> settings = settings("--heddle.authentication.concurrent-password-checks=3");

        assertThat(Objects.requireNonNull(settings.get("heddle.authentication.concurrent-password-checks"))
                        .value())
                .isEqualTo("3");
        assertThat(settings.values())
                .filteredOn(setting -> setting.value().equals("******"))
                .isEmpty();
    }
}
