package io.heddle.app.start;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** The keys of all settings, as the records have them, and the names by which the environment may hold them. Immutable. */
final class SettingKeys {
    private enum Kind {
        VALUE,
        LIST,
        GROUP
    }

    private static final Pattern NO_LETTERS = Pattern.compile("[^A-Za-z0-9]");
    private static final Pattern INDEX = Pattern.compile("_\\d+_?");

    private final SortedMap<String, Kind> kinds;

    private SettingKeys(SortedMap<String, Kind> kinds) {
        this.kinds = Collections.unmodifiableSortedMap(kinds);
    }

    /** All keys below the prefix that the record and the records in it have. */
    static SettingKeys of(String prefix, Class<? extends Record> settings) {
        SortedMap<String, Kind> kinds = new TreeMap<>();
        collect(prefix, settings, kinds);
        return new SettingKeys(kinds);
    }

    private static void collect(String prefix, Class<?> settings, Map<String, Kind> kinds) {
        for (RecordComponent component : settings.getRecordComponents()) {
            String key = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            Class<?> type = component.getType();
            if (type.isRecord()) {
                collect(key, type, kinds);
            } else {
                kinds.put(
                        key,
                        Map.class.isAssignableFrom(type)
                                ? Kind.GROUP
                                : Collection.class.isAssignableFrom(type) ? Kind.LIST : Kind.VALUE);
            }
        }
    }

    /** All of them, in alphabetical order. */
    Collection<String> all() {
        return kinds.keySet();
    }

    /** Whether this is one of them, an element of a list, or below a group of keys that may be anything. */
    boolean has(ConfigurationPropertyName name) {
        return kinds.entrySet().stream()
                .anyMatch(key -> isOne(ConfigurationPropertyName.of(key.getKey()), key.getValue(), name));
    }

    private static boolean isOne(ConfigurationPropertyName own, Kind kind, ConfigurationPropertyName name) {
        return name.equals(own)
                || switch (kind) {
                    case VALUE -> false;
                    case LIST -> name.isLastElementIndexed() && own.isParentOf(name);
                    case GROUP -> own.isAncestorOf(name);
                };
    }

    /** Whether some of them are below this. */
    boolean isGroup(ConfigurationPropertyName name) {
        return kinds.keySet().stream().anyMatch(key -> name.isAncestorOf(ConfigurationPropertyName.of(key)));
    }

    /** Whether a variable of this name sets one of them. The name may be written in any case. */
    boolean hasVariable(String variable) {
        String name = variable.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
        return kinds.entrySet().stream()
                .anyMatch(key -> isVariableOf(variable(key.getKey(), ""), key.getValue(), name)
                        || isVariableOf(variable(key.getKey(), "_"), key.getValue(), name));
    }

    /**
     * The key that somebody means who leaves out underscores, or puts others in their place; null when it is none.
     *
     * @param variable a name that sets nothing
     */
    @Nullable
    String meantBy(String variable) {
        String name = letters(variable);
        return kinds.keySet().stream()
                .filter(key -> letters(key).equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Whether a variable's name begins like a group of keys, but for its underscores. */
    boolean beginsLikeAGroup(String variable) {
        String name = letters(variable);
        return kinds.keySet().stream()
                .map(key -> letters(key.substring(0, key.indexOf('.', key.indexOf('.') + 1))))
                .anyMatch(name::startsWith);
    }

    private static String letters(String name) {
        return NO_LETTERS.matcher(name).replaceAll("").toUpperCase(Locale.ROOT);
    }

    /** The variable that sets a key. */
    static String variableOf(String key) {
        return variable(key, "_");
    }

    /** Within a word of a key a dash may be left out, or be written as an underscore. */
    private static String variable(String key, String dash) {
        return key.toUpperCase(Locale.ROOT).replace("-", dash).replace('.', '_');
    }

    private static boolean isVariableOf(String own, Kind kind, String name) {
        return switch (kind) {
            case VALUE -> name.equals(own);
            case LIST ->
                name.equals(own)
                        || (name.startsWith(own)
                                && INDEX.matcher(name.substring(own.length())).matches());
            case GROUP -> name.startsWith(own + "_") && name.length() > own.length() + 1;
        };
    }
}
