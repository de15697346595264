package io.heddle.app.start;

import io.heddle.app.settings.HeddleSettings;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** Keys of all settings of the broker, read from the settings records, and their names in the environment. Immutable. */
final class SettingKeys {
    private static final Pattern OTHER_THAN_LETTERS = Pattern.compile("[^A-Za-z0-9]");

    private final SortedMap<String, Class<?>> types = new TreeMap<>();
    private final Set<ConfigurationPropertyName> groups = new HashSet<>();

    SettingKeys() {
        collect(HeddleSettings.PREFIX, HeddleSettings.class);
    }

    private void collect(String key, Class<?> type) {
        if (!type.isRecord()) {
            types.put(key, type);
            return;
        }
        groups.add(ConfigurationPropertyName.of(key));
        for (RecordComponent component : type.getRecordComponents()) {
            collect(key + "." + DataObjectPropertyName.toDashedForm(component.getName()), component.getType());
        }
    }

    /** Returns the keys in alphabetical order. */
    Collection<String> all() {
        return types.keySet();
    }

    boolean isGroup(ConfigurationPropertyName name) {
        return groups.contains(name);
    }

    /** Returns whether the name is a key, an element of a list, or below a key that accepts any names. */
    boolean contains(ConfigurationPropertyName name) {
        return types.entrySet().stream().anyMatch(each -> {
            ConfigurationPropertyName key = ConfigurationPropertyName.of(each.getKey());
            return name.equals(key)
                    || (isMap(each) && key.isAncestorOf(name))
                    || (isList(each) && key.isParentOf(name) && name.isLastElementIndexed());
        });
    }

    /**
     * Returns whether Spring Boot reads a setting from a variable of this name, in any case. Dashes of a key may be dropped or be
     * underscores.
     */
    boolean containsVariable(String variable) {
        String name = variable.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
        return types.entrySet().stream()
                .anyMatch(each -> Stream.of("", "_")
                        .anyMatch(dash -> name.matches(variable(each.getKey(), dash)
                                + (isMap(each) ? "_.+" : isList(each) ? "(_\\d+_?)?" : ""))));
    }

    private static boolean isMap(Entry<String, Class<?>> setting) {
        return Map.class.isAssignableFrom(setting.getValue());
    }

    private static boolean isList(Entry<String, Class<?>> setting) {
        return Collection.class.isAssignableFrom(setting.getValue());
    }

    private static String variable(String key, String dash) {
        return key.toUpperCase(Locale.ROOT).replace("-", dash).replace('.', '_');
    }

    /** Returns whether a variable's name starts like the names of a group, except for its underscores. */
    boolean startsLikeGroup(String variable) {
        String name = letters(variable);
        return groups.stream()
                .anyMatch(group -> group.getNumberOfElements() > 1 && name.startsWith(letters("" + group)));
    }

    /** Returns the correct name of a variable that only has other underscores, in brackets; empty if there is none. */
    String correction(String variable) {
        String name = letters(variable);
        return types.keySet().stream()
                .filter(key -> letters(key).equals(name))
                .findFirst()
                .map(key -> " (" + key + " is " + variable(key, "_") + ")")
                .orElse("");
    }

    private static String letters(String name) {
        return OTHER_THAN_LETTERS.matcher(name).replaceAll("").toUpperCase(Locale.ROOT);
    }
}
