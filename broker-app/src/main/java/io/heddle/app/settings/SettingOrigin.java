package io.heddle.app.settings;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.Resource;

/** Origin of a setting, for error messages. */
public final class SettingOrigin {
    /** The source of the settings that {@code ./heddle} makes for the servers that it starts. */
    public static final String STANDALONE = "standalone servers";

    public static final String JSON = "spring.application.json";

    private SettingOrigin() {}

    /**
     * Returns the origin in brackets, after a space; empty for the command line, which the operator has just written.
     *
     * @param name the name in the source
     */
    public static String of(PropertySource<?> source, String name) {
        return switch (source.getName()) {
            case StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME -> " (" + name + " in the environment)";
            case StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME -> " (-D" + name + " for the JVM)";
            case STANDALONE -> " (set by ./heddle)";
            case JSON -> " (in SPRING_APPLICATION_JSON)";
            default -> file(OriginLookup.getOrigin(source, name));
        };
    }

    /** Returns the origin of a bound setting; empty for null. */
    public static String of(@Nullable ConfigurationProperty property) {
        return property != null && property.getOrigin() instanceof PropertySourceOrigin source
                ? of(source.getPropertySource(), source.getPropertyName())
                : "";
    }

    /** Returns the setting, or null if it is not set. */
    public static @Nullable ConfigurationProperty find(ConfigurableEnvironment environment, String key) {
        ConfigurationPropertyName name = ConfigurationPropertyName.of(key);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.from(environment.getPropertySources())) {
            ConfigurationProperty found = source.getConfigurationProperty(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Returns a setting whose name begins with this one, such as an entry of a map; null if there is none. */
    static @Nullable ConfigurationProperty findBelow(ConfigurableEnvironment environment, String key) {
        ConfigurationPropertyName name = ConfigurationPropertyName.of(key);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.from(environment.getPropertySources())) {
            ConfigurationProperty found = source instanceof IterableConfigurationPropertySource names
                    ? names.stream()
                            .filter(name::isAncestorOf)
                            .findFirst()
                            .map(source::getConfigurationProperty)
                            .orElse(null)
                    : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static String file(@Nullable Origin origin) {
        if (!(origin instanceof TextResourceOrigin text) || text.getResource() == null) {
            return "";
        }
        TextResourceOrigin.Location location = text.getLocation();
        return " (in " + path(text.getResource()) + (location == null ? "" : ", line " + (location.getLine() + 1))
                + ")";
    }

    /** Returns the path of a file, or the description of a resource in a jar. */
    private static String path(Resource resource) {
        try {
            return resource.isFile() ? resource.getFile().getPath() : resource.getDescription();
        } catch (IOException e) {
            return resource.getDescription();
        }
    }
}
