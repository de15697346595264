package io.heddle.app;

import io.heddle.app.settings.PlatformSettings;
import io.heddle.core.lifecycle.StartupException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
     * Settings only, each as {@code --key=value} and once: of several values for a key the last counts.
     *
     * @throws StartupException naming the first argument that is neither an option nor a setting that may be given here
     */
    static String[] toSettings(String[] arguments) {
        checkPlatformSettings(arguments);
        Map<String, String> settings = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            int equals = argument.indexOf('=');
            List<String> keys = OPTIONS.get(equals < 0 ? argument : argument.substring(0, equals));
            if (keys != null) {
                String value = equals >= 0 ? argument.substring(equals + 1) : next(arguments, i++);
                keys.forEach(key -> settings.put("--" + key, required(argument, value)));
            } else if (equals > 0 && isSetting(argument)) {
                settings.put(argument.substring(0, equals), argument.substring(equals + 1));
            } else if (isSetting(argument)) {
                throw new StartupException(
                        "The setting " + argument + " has no value: write " + argument + "=value", null);
            } else {
                throw new StartupException(
                        "Unknown argument " + argument + ": see ./heddle --help for the options", null);
            }
        }
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .toArray(String[]::new);
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
