package io.heddle.app.start;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.SettingOrigin;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.util.unit.DataSize;

/** Says what a setting must look like whose value could not be read. */
final class InvalidSettingMessage {
    private InvalidSettingMessage() {}

    /** The value itself is not repeated: it may be a secret that was given to the wrong key. */
    static String sentence(BindException notBound) {
        ConfigurationProperty property = notBound.getProperty();
        String name = property == null
                ? String.valueOf(notBound.getName())
                : property.getName().toString();
        return "the setting " + name + SettingOrigin.of(property) + " does not have a usable value: it must be "
                + kind(type(notBound))
                + (name.startsWith(HeddleSettings.PREFIX + ".")
                        ? "; docs/settings.md describes it"
                        : "; the documentation of Spring Boot describes it");
    }

    /** Of one of these, which have all the same value; at least one. */
    static String sentence(List<ConfigurationProperty> suspects, Class<?> type) {
        return "the setting "
                + suspects.stream()
                        .map(suspect -> suspect.getName() + SettingOrigin.of(suspect))
                        .distinct()
                        .collect(Collectors.joining(" or "))
                + " does not have a usable value: it must be " + kind(type)
                + "; the documentation of Spring Boot describes it";
    }

    /** Of what a group or a list holds, when that is what could not be read. */
    private static Class<?> type(BindException notBound) {
        for (Throwable cause = notBound.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof ConversionFailedException element) {
                return element.getTargetType().getType();
            }
        }
        return notBound.getTarget().getType().resolve(Object.class);
    }

    private static String kind(Class<?> type) {
        if (type == Duration.class) {
            return "a duration such as 30s or 5m";
        }
        if (type == DataSize.class) {
            return "a size such as 64KB or 1MB";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        if (Number.class.isAssignableFrom(type) || type.isPrimitive()) {
            return "a number such as 100";
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "a list, separated by commas";
        }
        if (Map.class.isAssignableFrom(type)) {
            return "a group of keys, each with a value of its own";
        }
        return "a text";
    }
}
