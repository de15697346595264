package io.heddle.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.thread.Threading;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Spring Boot asks for some of its settings one by one, and does not say which of them it could not read. */
final class UnreadableValuesTest {
    private final ConfigurableEnvironment environment = new StandardEnvironment();
    private final UnreadableValues values = new UnreadableValues();

    private String sentence() {
        values.onApplicationEvent(new ApplicationEnvironmentPreparedEvent(
                new DefaultBootstrapContext(), new SpringApplication(), new String[0], environment));
        RuntimeException failure = catchRuntimeException(() -> Threading.VIRTUAL.isActive(environment));
        assertThat(failure).isNotNull();
        return StartupFailure.sentence(values.explain(failure));
    }

    @Test
    void theSettingIsNamedWithWhatItMustBe() {
        environment
                .getPropertySources()
                .addFirst(new SimpleCommandLinePropertySource(
                        "--spring.threads.virtual.enabled=foo", "--heddle.node.id=foo", "--spring.main.lazy=bar"));

        assertThat(sentence())
                .isEqualTo(
                        "Heddle cannot start: the setting spring.threads.virtual.enabled does not have a usable value:"
                                + " it must be true or false; the documentation of Spring Boot describes it");
    }

    @Test
    void aVariableOfTheEnvironmentIsNamedAsSuch() {
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of("SPRING_THREADS_VIRTUAL_ENABLED", "foo")));

        assertThat(sentence())
                .contains("spring.threads.virtual.enabled (SPRING_THREADS_VIRTUAL_ENABLED in the environment)");
    }

    @Test
    void anyOtherFailureStaysWhatItIs() {
        RuntimeException failure = new IllegalStateException("a bug");

        assertThat(values.explain(failure)).isSameAs(failure);
    }
}
