package io.heddle.app.start;

import io.heddle.core.lifecycle.StartupException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Translation of the launcher's options to settings: {@code --mqtt-port 1884} becomes {@code --heddle.mqtt.port=1884}. Settings of Heddle
 * and of Spring Boot can be given directly.
 */
final class CommandLineArguments {
    private static final Map<String, List<String>> OPTIONS = Map.of(
            "--mqtt-port", List.of("heddle.mqtt.port"),
            "--mqtts-port", List.of("heddle.mqtt.tls-port"),
            "--ws-port", List.of("heddle.mqtt.ws-port"),
            "--wss-port", List.of("heddle.mqtt.wss-port"),
            "--http-port", List.of("heddle.http.port"),
            "--data-dir", List.of("heddle.standalone.data-dir"),
            "--bind", List.of("heddle.mqtt.bind", "heddle.http.bind"));

    private static final Pattern SETTING = Pattern.compile("--(heddle|spring|server|management|logging)\\..*");

    private CommandLineArguments() {}

    /**
     * Returns each setting once, as {@code --key=value}. The setting of one listener overrides {@code --bind}, which sets two.
     *
     * @throws StartupException naming the first argument that is neither an option nor a setting, or two arguments that contradict
     *     each other
     */
    static String[] toSettings(String[] arguments) {
        Map<ConfigurationPropertyName, Given> settings = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            List<String> keys = OPTIONS.get(name);
            if (keys != null) {
                String value = required(argument, equals >= 0 ? argument.substring(equals + 1) : next(arguments, i++));
                keys.forEach(key -> put(settings, new Given(name, key, value)));
            } else if (equals > 0 && SETTING.matcher(argument).matches()) {
                put(settings, new Given(name, name.substring("--".length()), argument.substring(equals + 1)));
            } else if (SETTING.matcher(argument).matches()) {
                throw new StartupException(
                        "The setting " + argument + " has no value: write " + argument + "=value", null);
            } else {
                throw new StartupException(
                        "Unknown argument " + argument + ": see ./heddle --help for the options", null);
            }
        }
        return settings.values().stream()
                .map(given -> "--" + given.key() + "=" + given.value())
                .toArray(String[]::new);
    }

    /** A setting as given by an argument, whose name includes its dashes. */
    private record Given(String name, String key, String value) {
        boolean setsSeveral() {
            return OPTIONS.getOrDefault(name, List.of()).size() > 1;
        }

        /** Includes the value of options only: values of settings may be secrets. */
        String text() {
            return OPTIONS.containsKey(name) ? name + " " + value : name;
        }
    }

    private static void put(Map<ConfigurationPropertyName, Given> settings, Given given) {
        ConfigurationPropertyName key = ConfigurationPropertyName.adapt(given.key(), '.');
        Given before = settings.get(key);
        if (before == null || (before.setsSeveral() && !given.setsSeveral())) {
            settings.put(key, given);
        } else if (before.setsSeveral() == given.setsSeveral()
                && !before.value().equals(given.value())) {
            throw new StartupException(
                    before.text() + " and " + given.text()
                            + " are both given, with different values: leave one of them out",
                    null);
        }
    }

    private static @Nullable String next(String[] arguments, int index) {
        return index + 1 < arguments.length ? arguments[index + 1] : null;
    }

    private static String required(String option, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new StartupException("The option " + option + " needs a value: see ./heddle --help", null);
        }
        return value;
    }
}
