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

    private static AnonymousAccessDecision decision(Map<String, Object> listeners) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.setActiveProfiles("standalone");
        environment.getPropertySources().addFirst(new MapPropertySource("commandLineArgs", listeners));
        HeddleSettings settings = Binder.get(environment).bindOrCreate(HeddleSettings.PREFIX, HeddleSettings.class);
        return new HeddleConfiguration().anonymousAccess(settings, environment, new InMemoryCredentialsStore());
    }

    @Test
    void theStandaloneProfileAllowsThemOnLoopbackAndElsewhereIfConfigured() {
        AnonymousAccessDecision onLoopback = decision(Map.of("heddle.mqtt.port", "1883"));
        onLoopback.start();
        assertThat(onLoopback.isAllowed("mqtt")).isTrue();

        AnonymousAccessDecision everywhere =
                decision(Map.of("heddle.mqtt.bind", "0.0.0.0", "heddle.authentication.anonymous.enabled", "true"));
        everywhere.start();
        assertThat(everywhere.isAllowed("mqtt")).isTrue();
    }

    /** One listener that clients of other machines reach disables it for all that do not decide for themselves. */
    @Test
    void aListenerDecidesForItself() {
        AnonymousAccessDecision decision = decision(Map.of(
                "heddle.mqtt.port",
                "1883",
                "heddle.mqtt.listeners[0].name",
                "public",
                "heddle.mqtt.listeners[0].address",
                "0.0.0.0",
                "heddle.mqtt.listeners[0].port",
                "1884",
                "heddle.mqtt.listeners[0].anonymous",
                "true"));

        decision.start();

        assertThat(decision.isAllowed("public")).isTrue();
        assertThat(decision.isAllowed("mqtt")).isFalse();
    }

    @Test
    void clientsWithTokensCanConnectWithoutStoredCredentials() {
        AnonymousAccessDecision decision = decision(Map.of(
                "heddle.mqtt.bind", "0.0.0.0",
                "heddle.authentication.methods", "jwt",
                "heddle.authentication.jwt.jwks-url", "https://issuer.example/keys"));

        decision.start();

        assertThat(decision.isAllowed("mqtt")).isFalse();
    }

    @Test
    void aListenerOnLoopbackMayBeClosedToAnonymousClients() {
        AnonymousAccessDecision decision = decision(Map.of(
                "heddle.mqtt.port", "1883",
                "heddle.mqtt.listeners[0].port", "1884",
                "heddle.mqtt.listeners[0].anonymous", "false"));

        decision.start();

        assertThat(decision.isAllowed("mqtt")).isTrue();
        assertThat(decision.isAllowed("tcp-1")).isFalse();
        decision.stop();
        assertThat(decision.isAllowed("mqtt")).isFalse();
    }

    @Test
    void theErrorNamesAnAddressInTheListAndTrustedProxies() {
        assertThat(catchRuntimeException(() -> decision(Map.of("heddle.mqtt.listeners[0].address", "0.0.0.0"))
                        .start()))
                .hasMessageStartingWith("heddle.mqtt.listeners[0].address is 0.0.0.0, which disables anonymous access");
        assertThat(catchRuntimeException(() -> decision(Map.of(
                                "heddle.mqtt.listeners[0].kind", "ws",
                                "heddle.mqtt.listeners[0].trusted-proxies", "127.0.0.1"))
                        .start()))
                .hasMessageStartingWith(
                        "heddle.mqtt.listeners[0].trusted-proxies is set, which disables anonymous access");
    }
}
