package io.heddle.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The error names the address to listen on as the operator has set it. */
final class AnonymousAccessDecisionTest {
    private static PropertySource<?> source(String name, String key) {
        Map<String, Object> settings = Map.of(key, "0.0.0.0");
        return name.equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME)
                ? new SystemEnvironmentPropertySource(name, settings)
                : new MapPropertySource(name, settings);
    }

    @ParameterizedTest
    @CsvSource({
        "commandLineArgs, heddle.mqtt.bind, (--bind)",
        "systemEnvironment, HEDDLE_MQTT_BIND, (HEDDLE_MQTT_BIND in the environment)",
        "systemProperties, heddle.mqtt.bind, (-Dheddle.mqtt.bind for the JVM)",
    })
    void theErrorNamesTheOriginOfTheAddress(String source, String key, String expected) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.setActiveProfiles("standalone");
        environment.getPropertySources().addFirst(source(source, key));
        HeddleSettings settings = Binder.get(environment).bindOrCreate(HeddleSettings.PREFIX, HeddleSettings.class);
        AnonymousAccessDecision decision =
                new HeddleConfiguration().anonymousAccess(settings, environment, new InMemoryCredentialsStore());

        RuntimeException refusal = catchRuntimeException(decision::start);

        assertThat(refusal).isNotNull();
        assertThat(refusal.getMessage())
                .startsWith("heddle.mqtt.bind " + expected + " is 0.0.0.0, which disables anonymous access");
    }

    @Test
    void theErrorNamesTheDataDirectoryOfThisBroker() {
        StandardEnvironment environment = new StandardEnvironment();
        environment.setActiveProfiles("standalone");
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "commandLineArgs",
                        Map.of("heddle.mqtt.bind", "0.0.0.0", "heddle.standalone.data-dir", "/srv/heddle")));
        HeddleSettings settings = Binder.get(environment).bindOrCreate(HeddleSettings.PREFIX, HeddleSettings.class);

        RuntimeException refusal = catchRuntimeException(() -> new HeddleConfiguration()
                .anonymousAccess(settings, environment, new InMemoryCredentialsStore())
                .start());

        assertThat(refusal).hasMessageContaining("./heddle credentials add --data-dir /srv/heddle, or");
    }
}
