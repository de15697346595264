package io.heddle.app.start;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.SettingOrigin;
import io.heddle.core.lifecycle.StartupException;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * What begins like a setting and is none, on the command line, in files, in JSON and in the JVM's system properties. The
 * environment has names of its own, see {@link EnvironmentVariables}. Spring Boot's own check does not look at system properties,
 * and takes a value on a group for one of a setting.
 */
final class UnknownSettings {
    /** Of the launcher, of the log's configuration, and of the build's tests. */
    private static final Set<String> NO_SETTINGS = Set.of(
            "heddle.standalone.home",
            "heddle.standalone.stop-seconds",
            "heddle.log.directory",
            "heddle.docs.write",
            "heddle.fuzz.write",
            "heddle.seed",
            "heddle.test.seed");

    private final SettingKeys keys = SettingKeys.of(HeddleSettings.PREFIX, HeddleSettings.class);
    private final Set<String> unknown = new TreeSet<>();
    /** The place of each. */
    private final SortedMap<ConfigurationPropertyName, String> groups = new TreeMap<>();

    private UnknownSettings() {}

    /** Throws StartupException when there is one. */
    static void check(Iterable<PropertySource<?>> sources) {
        UnknownSettings found = new UnknownSettings();
        for (PropertySource<?> source : sources) {
            if (source instanceof EnumerablePropertySource<?> names
                    && !source.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME)) {
                found.collect(names);
            }
        }
        found.refuse();
    }

    private void collect(EnumerablePropertySource<?> source) {
        boolean system = source.getName().equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
        for (String name : source.getPropertyNames()) {
            if (!isOurs(name) || (system && NO_SETTINGS.contains(name))) {
                continue;
            }
            String place = SettingOrigin.of(source, name);
            if (hasEmptyElement(name)) {
                unknown.add(name + place);
                continue;
            }
            ConfigurationPropertyName key = ConfigurationPropertyName.adapt(name, '.');
            if (keys.isGroup(key)) {
                // In YAML, a group of which all lines are comments.
                if (!String.valueOf(source.getProperty(name)).isEmpty() || place.isEmpty() || system) {
                    groups.put(key, place);
                }
            } else if (!keys.has(key)) {
                unknown.add(name + place);
            }
        }
    }

    private static boolean isOurs(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals(HeddleSettings.PREFIX)
                || lower.startsWith(HeddleSettings.PREFIX + ".")
                || lower.startsWith(HeddleSettings.PREFIX + "[");
    }

    /** As in "heddle.", which would be read as "heddle". */
    private static boolean hasEmptyElement(String name) {
        return name.endsWith(".") || name.contains("..");
    }

    private void refuse() {
        if (!unknown.isEmpty()) {
            throw new StartupException(
                    "unknown setting " + String.join(", ", unknown)
                            + ": correct or remove it; docs/settings.md lists all settings",
                    null);
        }
        if (!groups.isEmpty()) {
            ConfigurationPropertyName group = groups.firstKey();
            throw new StartupException(
                    group + groups.get(group)
                            + " is a group of settings and has no value itself: set what belongs to it, " + group
                            + ".*, which docs/settings.md lists",
                    null);
        }
    }
}
