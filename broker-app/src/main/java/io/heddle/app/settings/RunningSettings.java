package io.heddle.app.settings;

import io.heddle.core.node.operation.EffectiveSetting;
import io.heddle.core.node.operation.EffectiveSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The bound settings with their origins, read from the settings records. Values of settings whose name ends in password, secret, token or
 * passphrase are masked, and those of maps, which are passed on to client libraries, and the user and the options in an address. Immutable.
 */
public final class RunningSettings implements EffectiveSettings {
    private static final String MASK = "******";
    private static final Pattern SECRET = Pattern.compile("(.*-)?(password|secret|token|passphrase)");
    private static final Pattern USER_OF_ADDRESS = Pattern.compile("//.*@");
    private static final Pattern OPTIONS_OF_ADDRESS = Pattern.compile("\\?.*");

    private final ConfigurableEnvironment environment;
    private final List<EffectiveSetting> settings = new ArrayList<>();

    public RunningSettings(HeddleSettings bound, ConfigurableEnvironment environment) {
        this.environment = environment;
        collect(HeddleSettings.PREFIX, bound);
        settings.sort(Comparator.comparing(EffectiveSetting::key));
    }

    @Override
    public List<EffectiveSetting> all() {
        return List.copyOf(settings);
    }

    private void collect(String key, @Nullable Object value) {
        if (value != null && value.getClass().isRecord()) {
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                String name = DataObjectPropertyName.toDashedForm(component.getName());
                collect(key + "." + name, read(component.getAccessor(), value));
            }
        } else if (value instanceof Collection<?> elements
                && elements.stream().anyMatch(element -> element.getClass().isRecord())) {
            int index = 0;
            for (Object element : elements) {
                collect(key + "[" + index++ + "]", element);
            }
        } else {
            settings.add(new EffectiveSetting(key, text(key, value), origin(key)));
        }
    }

    private static @Nullable Object read(Method accessor, Object owner) {
        try {
            accessor.setAccessible(true);
            return accessor.invoke(owner);
        } catch (IllegalAccessException | InvocationTargetException impossible) {
            throw new IllegalStateException("cannot read " + accessor, impossible);
        }
    }

    private static String text(String key, @Nullable Object value) {
        if (value == null || value.equals("")) {
            return "";
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, String> masked = new TreeMap<>();
            map.keySet().forEach(name -> masked.put(String.valueOf(name), MASK));
            return masked.isEmpty() ? "" : masked.toString();
        }
        if (SECRET.matcher(key.substring(key.lastIndexOf('.') + 1)).matches()) {
            return MASK;
        }
        if (value instanceof Collection<?> elements) {
            return String.join(", ", elements.stream().map(String::valueOf).toList());
        }
        String text = value.toString();
        return key.endsWith("url")
                ? OPTIONS_OF_ADDRESS
                        .matcher(USER_OF_ADDRESS.matcher(text).replaceAll("//" + MASK + "@"))
                        .replaceAll("?" + MASK)
                : text;
    }

    private String origin(String key) {
        ConfigurationProperty found = SettingOrigin.find(environment, key);
        if (found == null) {
            found = SettingOrigin.findBelow(environment, key);
        }
        if (found == null) {
            return "";
        }
        String origin = SettingOrigin.of(found);
        return origin.isEmpty() ? "command line" : origin.substring(" (".length(), origin.length() - ")".length());
    }
}
