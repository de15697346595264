package io.heddle.app.start;

import io.heddle.app.settings.SettingOrigin;
import io.heddle.core.lifecycle.StartupException;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Rejects names below {@code heddle} that no setting has: on the command line, in files, in JSON, in system properties and in the
 * environment. Spring Boot's own check (ignoreUnknownFields) skips the last two and accepts a value for a group of settings.
 */
final class UnknownSettings {
    /** System properties of the launcher, the log configuration and the build's tests. */
    private static final Set<String> PROPERTIES_THAT_ARE_NO_SETTINGS = Set.of(
            "heddle.standalone.home",
            "heddle.standalone.kafka-cache-output",
            "heddle.standalone.kafka-options",
            "heddle.standalone.ports",
            "heddle.standalone.stop-seconds",
            "heddle.standalone.supervised",
            "heddle.log.directory",
            "heddle.log.name",
            "heddle.docs.write",
            "heddle.fuzz.write",
            "heddle.test.seed");

    /** Variables of the launcher, of broker-standalone and of the tests. */
    private static final Pattern VARIABLES_THAT_ARE_NO_SETTINGS =
            Pattern.compile("HEDDLE_JAVA_OPTS|HEDDLE_STANDALONE_HOME|HEDDLE_TEST_.*");

    private static final Pattern OWN_NAME = Pattern.compile("heddle([.\\[].*)?", Pattern.CASE_INSENSITIVE);
    /** The name that Spring Boot gives to a list or a value without a name in YAML. */
    private static final Pattern UNNAMED = Pattern.compile("document(\\[.*)?");

    private static final Pattern OWN_VARIABLE = Pattern.compile("HEDDLE(_.*)?");

    /** Variables that Kubernetes sets in every pod for each Service. */
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".*_SERVICE_HOST|.*_SERVICE_PORT(_.*)?|.*_PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?");

    private static final Pattern SERVICE_LINK_URL = Pattern.compile("(tcp|udp|sctp)://.*");

    private final SettingKeys keys = new SettingKeys();
    private final SortedSet<String> unknown = new TreeSet<>();
    private final SortedSet<String> unknownVariables = new TreeSet<>();
    private final SortedMap<ConfigurationPropertyName, String> groups = new TreeMap<>();

    private UnknownSettings() {}

    /** Throws StartupException if one of the sources contains such a name. */
    static void check(Iterable<PropertySource<?>> sources) {
        UnknownSettings found = new UnknownSettings();
        for (PropertySource<?> source : sources) {
            if (source instanceof EnumerablePropertySource<?> names) {
                boolean environment =
                        source.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
                for (String name : names.getPropertyNames()) {
                    if (environment) {
                        found.checkVariable(name, String.valueOf(names.getProperty(name)));
                    } else if (OWN_NAME.matcher(name).matches()) {
                        found.checkName(names, name);
                    } else if (UNNAMED.matcher(name).matches()) {
                        rejectUnnamed(SettingOrigin.of(source, name));
                    }
                }
            }
        }
        found.reject();
    }

    private void checkName(EnumerablePropertySource<?> source, String name) {
        if (source.getName().equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)
                && PROPERTIES_THAT_ARE_NO_SETTINGS.contains(name)) {
            return;
        }
        String origin = SettingOrigin.of(source, name);
        ConfigurationPropertyName key = ConfigurationPropertyName.adapt(name, '.');
        // Adapting drops empty elements, as in "heddle.".
        boolean hasEmptyElement = name.endsWith(".") || name.contains("..");
        if (!hasEmptyElement && keys.isGroup(key)) {
            // A group in YAML whose lines are all comments has an empty value.
            if (!String.valueOf(source.getProperty(name)).isEmpty()) {
                groups.put(key, origin);
            }
        } else if (hasEmptyElement || !keys.contains(key)) {
            unknown.add(name + origin);
        }
    }

    private static void rejectUnnamed(String origin) {
        if (origin.contains(".yaml") || origin.contains(".yml")) {
            throw new StartupException(
                    "a list or a value" + origin
                            + " has no name: write each setting with its name, such as heddle.mqtt.port: 1884",
                    null);
        }
    }

    private void checkVariable(String name, String value) {
        String plain = name.toUpperCase(Locale.ROOT).replace('.', '_');
        boolean own = OWN_VARIABLE.matcher(plain).matches()
                ? !VARIABLES_THAT_ARE_NO_SETTINGS.matcher(plain).matches()
                // HEDDLEMQTTPORT for instance, but not every name with these first letters.
                : plain.startsWith("HEDDLE") && keys.startsLikeGroup(plain);
        if (!own) {
            return;
        }
        boolean link = SERVICE_LINK.matcher(plain).matches()
                || (plain.endsWith("_PORT") && SERVICE_LINK_URL.matcher(value).matches());
        if (!keys.containsVariable(name)) {
            if (!link) {
                unknownVariables.add(name);
            }
        } else if (link) {
            throw new StartupException(
                    name + " in the environment is " + value
                            + ", which Kubernetes sets for a Service of that name and which"
                            + " hides the setting of the same name: give the pod enableServiceLinks: false, or rename the Service",
                    null);
        }
    }

    private void reject() {
        if (!unknownVariables.isEmpty()) {
            throw unknown(
                    String.join(", ", unknownVariables) + " in the environment",
                    keys.correction(unknownVariables.first()));
        }
        if (!unknown.isEmpty()) {
            throw unknown(String.join(", ", unknown), "");
        }
        if (!groups.isEmpty()) {
            ConfigurationPropertyName group = groups.firstKey();
            throw new StartupException(
                    group + groups.get(group)
                            + " is a group of settings and has no value itself: set one of its settings, " + group
                            + ".*, which docs/settings.md lists",
                    null);
        }
    }

    private static StartupException unknown(String names, String correction) {
        return new StartupException(
                "unknown setting " + names + ": correct or remove it" + correction
                        + "; docs/settings.md lists all settings",
                null);
    }
}
