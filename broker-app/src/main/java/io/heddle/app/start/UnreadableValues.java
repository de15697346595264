package io.heddle.app.start;

import io.heddle.core.lifecycle.StartupException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.ApplicationListener;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Finds the setting of Spring Boot's whose value could not be read: where Spring Boot asks for a single one it does not say which,
 * only what its value was. One thread, that of the start.
 */
final class UnreadableValues implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {
    private static final List<ConfigurationPropertyName> GROUPS = Stream.of("spring", "server", "management", "logging")
            .map(ConfigurationPropertyName::of)
            .toList();

    private @Nullable ConfigurableEnvironment environment;

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        environment = event.getEnvironment();
    }

    /** The failure as one sentence when it is about such a value; otherwise as it was. */
    RuntimeException explain(RuntimeException failure) {
        ConversionFailedException unread = null;
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StartupException || cause instanceof BindException) {
                return failure;
            }
            if (cause instanceof ConversionFailedException conversion) {
                unread = conversion;
            }
        }
        if (unread == null || environment == null || unread.getValue() == null) {
            return failure;
        }
        List<ConfigurationProperty> suspects = withValue(environment, unread.getValue());
        return suspects.isEmpty()
                ? failure
                : new StartupException(
                        InvalidSettingMessage.sentence(
                                suspects, unread.getTargetType().getType()),
                        failure);
    }

    private static List<ConfigurationProperty> withValue(ConfigurableEnvironment environment, Object value) {
        List<ConfigurationProperty> found = new ArrayList<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.from(environment.getPropertySources())) {
            if (source instanceof IterableConfigurationPropertySource names) {
                for (ConfigurationPropertyName name : names) {
                    ConfigurationProperty property = GROUPS.stream().anyMatch(group -> group.isAncestorOf(name))
                            ? source.getConfigurationProperty(name)
                            : null;
                    if (property != null && value.equals(property.getValue())) {
                        found.add(property);
                    }
                }
            }
        }
        return found;
    }
}
