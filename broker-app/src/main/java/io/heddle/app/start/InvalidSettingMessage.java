package io.heddle.app.start;

import io.heddle.app.listeners.PortSetting;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.SettingOrigin;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/** Error message for a setting whose value has the wrong type. */
final class InvalidSettingMessage {
    private InvalidSettingMessage() {}

    /** Omits the value, which may be a secret that was given to the wrong key. */
    static String sentence(BindException failure) {
        ConfigurationProperty property = failure.getProperty();
        String name = String.valueOf(property == null ? failure.getName() : property.getName());
        ConversionFailedException element = StartupFailure.find(failure, ConversionFailedException.class);
        // The type of an element, if a list or a group could not be read.
        Class<?> type = element == null
                ? failure.getTarget().getType().resolve(Object.class)
                : element.getTargetType().getType();
        return "the setting " + name + SettingOrigin.of(property) + " does not have a usable value: it must be "
                + kind(type) + "; "
                + (name.startsWith(HeddleSettings.PREFIX + ".")
                        ? "docs/settings.md"
                        : "the documentation of Spring Boot")
                + " describes it";
    }

    /** Names a single setting by its value, because Spring Boot does not report the key of a setting that it reads by itself. */
    static String sentence(ConversionFailedException failure) {
        return "a setting of Spring Boot (spring.*, server.*, management.* or logging.*) has the value '"
                + failure.getValue() + "', which is not usable: it must be "
                + kind(failure.getTargetType().getType()) + "; the documentation of Spring Boot describes it";
    }

    private static String kind(Class<?> declared) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(declared);
        if (type == Duration.class) {
            return "a duration such as 30s or 5m";
        }
        if (type == DataSize.class) {
            return "a size such as 64KB or 1MB";
        }
        if (type == Boolean.class) {
            return "true or false";
        }
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        if (type == PortSetting.class) {
            return "a number such as 1883, or auto, or off";
        }
        if (Number.class.isAssignableFrom(type)) {
            return "a number such as 100";
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "a list, separated by commas";
        }
        return Map.class.isAssignableFrom(type) ? "a group of keys, each with a value of its own" : "a text";
    }
}
