package io.heddle.app.start;

import io.heddle.app.settings.HeddleSettings;
import java.lang.reflect.ParameterizedType;
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
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** Keys of all settings of the broker, read from the settings records, and their names in the environment. Immutable. */
final class SettingKeys {
    private static final Pattern OTHER_THAN_LETTERS = Pattern.compile("[^A-Za-z0-9]");

    private static final Pattern INDEX = Pattern.compile("\\[\\d+]");
    /** Follows the key of a list of groups in the keys of the groups. */
    private static final String ELEMENT = "[]";

    private final SortedMap<String, Class<?>> types = new TreeMap<>();
    private final Set<String> lists = new HashSet<>();

    private final Set<ConfigurationPropertyName> groups = new HashSet<>();

    SettingKeys() {
        collect(HeddleSettings.PREFIX, HeddleSettings.class);
    }

    private void collect(String key, Class<?> type) {
        if (!type.isRecord()) {
            types.put(key, type);
            return;
        }
        groups.add(name(key));
        for (RecordComponent component : type.getRecordComponents()) {
            String own = key + "." + DataObjectPropertyName.toDashedForm(component.getName());
            Class<?> element = recordOf(component);
            if (element != null) {
                lists.add(own);
                collect(own + ELEMENT, element);
            }
            collect(own, component.getType());
        }
    }

    /** Returns the type of the elements of a list of groups, else null. */
    private static @Nullable Class<?> recordOf(RecordComponent component) {
        return component.getGenericType() instanceof ParameterizedType list
                        && list.getActualTypeArguments()[0] instanceof Class<?> element
                        && element.isRecord()
                ? element
                : null;
    }

    /** Returns the name of a key, whose lists of groups have one element. */
    private static ConfigurationPropertyName name(String key) {
        return ConfigurationPropertyName.of(key.replace(ELEMENT, "[0]"));
    }

    /** Returns the name with the first element in place of each element of a list. */
    private static ConfigurationPropertyName ofFirstElements(ConfigurationPropertyName name) {
        return ConfigurationPropertyName.adapt(INDEX.matcher(name.toString()).replaceAll("[0]"), '.');
    }

    /** Returns the keys in alphabetical order. */
    Collection<String> all() {
        return types.keySet();
    }

    boolean isGroup(ConfigurationPropertyName name) {
        return groups.contains(ofFirstElements(name));
    }

    /** Returns whether the name is a key, an element of a list, or below a key that accepts any names. */
    boolean contains(ConfigurationPropertyName name) {
        ConfigurationPropertyName first = ofFirstElements(name);
        return types.entrySet().stream().anyMatch(each -> {
            ConfigurationPropertyName key = name(each.getKey());
            return first.equals(key)
                    || (isMap(each) && key.isAncestorOf(name))
                    || (isList(each) && key.isParentOf(first) && first.isLastElementIndexed());
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

    private boolean isList(Entry<String, Class<?>> setting) {
        return !lists.contains(setting.getKey()) && Collection.class.isAssignableFrom(setting.getValue());
    }

    private static String variable(String key, String dash) {
        return key.toUpperCase(Locale.ROOT).replace("-", dash).replace('.', '_').replace(ELEMENT, "_\\d+");
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
                .map(key -> " (" + key + " is " + variable(key, "_").replace("\\d+", "0") + ")")
                .orElse("");
    }

    private static String letters(String name) {
        return OTHER_THAN_LETTERS.matcher(name).replaceAll("").toUpperCase(Locale.ROOT);
    }
}
