package io.heddle.app.start;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.core.lifecycle.StartupException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The environment's variables that begin like settings. One that sets nothing is refused like an unknown key elsewhere, but for
 * those of Heddle's own that are no settings, and those that Kubernetes gives every pod for a Service whose name begins with
 * "heddle".
 */
final class EnvironmentVariables {
    private static final String NAME = "HEDDLE";
    private static final String PREFIX = NAME + "_";
    /** Of the launcher, of broker-standalone, and of the tests. */
    private static final List<String> NO_SETTINGS = List.of("HEDDLE_JAVA_OPTS", "HEDDLE_STANDALONE_HOME");

    private static final String TESTS = "HEDDLE_TEST_";
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".*_SERVICE_HOST|.*_SERVICE_PORT(_.*)?|.*_PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?");
    private static final Pattern SERVICE_LINK_URL = Pattern.compile("(tcp|udp|sctp)://.*");

    private EnvironmentVariables() {}

    /** Throws StartupException when a variable looks like a setting and is none. */
    static void check(Map<String, String> environment) {
        SettingKeys keys = SettingKeys.of(HeddleSettings.PREFIX, HeddleSettings.class);
        SortedSet<String> unknown = new TreeSet<>();
        environment.forEach((name, value) -> {
            if (isOurs(name, keys)) {
                boolean link = isServiceLink(plain(name), value);
                if (keys.hasVariable(name)) {
                    refuseServiceLink(link, name, value);
                } else if (!link) {
                    unknown.add(name);
                }
            }
        });
        if (!unknown.isEmpty()) {
            throw new StartupException(
                    "unknown setting " + String.join(", ", unknown) + " in the environment: correct or remove it"
                            + rightForm(unknown.getFirst(), keys) + "; docs/settings.md lists all settings",
                    null);
        }
    }

    private static String plain(String name) {
        return name.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    private static boolean isOurs(String name, SettingKeys keys) {
        String plain = plain(name);
        if (plain.equals(NAME) || plain.startsWith(PREFIX)) {
            return !NO_SETTINGS.contains(plain) && !plain.startsWith(TESTS);
        }
        // As HEDDLEMQTTPORT, but not whatever else begins with these letters.
        return plain.startsWith(NAME) && keys.beginsLikeAGroup(plain);
    }

    private static String rightForm(String name, SettingKeys keys) {
        String key = keys.meantBy(name);
        return key == null ? "" : " (" + key + " is " + SettingKeys.variableOf(key) + ")";
    }

    /** HEDDLE_MQTT_PORT is a setting, and also what Kubernetes calls the address of a Service named heddle-mqtt. */
    private static void refuseServiceLink(boolean link, String name, String value) {
        if (link) {
            throw new StartupException(
                    name + " in the environment is " + value + ", which Kubernetes sets for a Service of that name, and"
                            + " hides the setting that is read from there: give the pod enableServiceLinks: false, or the"
                            + " Service another name",
                    null);
        }
    }

    private static boolean isServiceLink(String name, String value) {
        return SERVICE_LINK.matcher(name).matches()
                || (name.endsWith("_PORT") && SERVICE_LINK_URL.matcher(value).matches());
    }
}
