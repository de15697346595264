package io.heddle.app.start;

import io.heddle.core.lifecycle.StartupException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * The launcher's options, translated to settings: {@code --mqtt-port 1884} is {@code --heddle.mqtt.port=1884}. Settings may
 * be given directly as well, those of Spring Boot below the broker too, where Heddle has none of its own.
 */
final class CommandLineArguments {
    private static final Map<String, List<String>> OPTIONS = Map.of(
            "--mqtt-port", List.of("heddle.mqtt.port"),
            "--http-port", List.of("heddle.http.port"),
            "--data-dir", List.of("heddle.standalone.data-dir"),
            "--bind", List.of("heddle.mqtt.bind", "heddle.http.bind"));

    private static final String OWN_PREFIX = "--heddle.";

    /** Of the platform below the broker. */
    private static final List<String> PLATFORM_PREFIXES =
            List.of("--spring.", "--server.", "--management.", "--logging.");

    private CommandLineArguments() {}

    /**
     * Settings only, each as {@code --key=value} and once. Beside {@code --bind}, which sets two, the setting of one listener
     * counts.
     *
     * @throws StartupException naming the first argument that is neither an option nor a setting that may be given here, or the
     *     two that contradict each other
     */
    static String[] toSettings(String[] arguments) {
        checkPlatformSettings(arguments);
        Map<ConfigurationPropertyName, Given> settings = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            List<String> keys = OPTIONS.get(name);
            if (keys != null) {
                String value = required(argument, equals >= 0 ? argument.substring(equals + 1) : next(arguments, i++));
                keys.forEach(key -> put(settings, new Given(name, key, value)));
            } else if (equals > 0 && isSetting(argument)) {
                put(settings, new Given(name, name.substring("--".length()), argument.substring(equals + 1)));
            } else if (isSetting(argument)) {
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

    /**
     * A setting as it was given.
     *
     * @param name the argument's, with its dashes
     */
    private record Given(String name, String key, String value) {
        boolean isForSeveral() {
            return OPTIONS.getOrDefault(name, List.of()).size() > 1;
        }

        /** The value only of options, which are no secrets. */
        String text() {
            return OPTIONS.containsKey(name) ? name + " " + value : name;
        }
    }

    private static void put(Map<ConfigurationPropertyName, Given> settings, Given given) {
        ConfigurationPropertyName key = ConfigurationPropertyName.adapt(given.key(), '.');
        Given before = settings.get(key);
        if (before == null || (before.isForSeveral() && !given.isForSeveral())) {
            settings.put(key, given);
        } else if (before.isForSeveral() == given.isForSeveral()
                && !before.value().equals(given.value())) {
            throw new StartupException(
                    before.text() + " and " + given.text()
                            + " are both given, with different values: leave one of them out",
                    null);
        }
    }

    private static boolean isSetting(String argument) {
        return argument.startsWith(OWN_PREFIX) || isPlatformSetting(argument);
    }

    private static boolean isPlatformSetting(String argument) {
        return PLATFORM_PREFIXES.stream().anyMatch(argument::startsWith);
    }

    /** Settings of the broker itself are checked with those from files and the environment, when all are known. */
    private static void checkPlatformSettings(String[] arguments) {
        List<String> keys = Arrays.stream(arguments)
                .filter(CommandLineArguments::isPlatformSetting)
                .map(argument -> argument.substring("--".length()).split("=", 2)[0])
                .toList();
        if (!keys.isEmpty()) {
            PlatformSettings platform = PlatformSettings.load();
            keys.forEach(platform::check);
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
