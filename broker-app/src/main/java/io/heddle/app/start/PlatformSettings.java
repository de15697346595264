package io.heddle.app.start;

import io.heddle.app.settings.SettingOrigin;
import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * The settings of Spring Boot below the broker, which an operator may reach for. Known are those that the
 * libraries on the class path describe; those that Heddle has a setting of its own for are not to be used. Immutable.
 */
final class PlatformSettings {
    private static final String METADATA = "META-INF/spring-configuration-metadata.json";

    private static final String LOG =
            "the log goes to standard output, or to the data directory (--data-dir) of ./heddle";

    private static final String DISK =
            "the health of the disk is that of heddle.standalone.data-dir (--data-dir), with heddle.standalone.minimum-free";

    private static final ConfigurationPropertyName MANAGEMENT = ConfigurationPropertyName.of("management.server");
    private static final String ONE_HTTP_LISTENER =
            "health and metrics are where the REST API is, at heddle.http.bind (--bind) and heddle.http.port (--http-port)";

    /** What is Heddle's to say, and how. */
    private static final Map<ConfigurationPropertyName, String> OWN = Map.of(
            ConfigurationPropertyName.of("server.port"),
            "use heddle.http.port (--http-port)",
            ConfigurationPropertyName.of("server.address"),
            "use heddle.http.bind (--bind)",
            MANAGEMENT.append("port"),
            ONE_HTTP_LISTENER,
            MANAGEMENT.append("address"),
            ONE_HTTP_LISTENER,
            ConfigurationPropertyName.of("spring.main.web-application-type"),
            "the broker always has its HTTP listener, with heddle.http.port (--http-port) and heddle.http.bind (--bind)",
            ConfigurationPropertyName.of("logging.file.path"),
            LOG,
            ConfigurationPropertyName.of("logging.file.name"),
            LOG,
            ConfigurationPropertyName.of("management.health.diskspace.path"),
            DISK,
            ConfigurationPropertyName.of("management.health.diskspace.threshold"),
            DISK);

    private static final List<String> PREFIXES = List.of("spring.", "server.", "management.", "logging.");

    /**
     * Of Spring below Spring Boot, which reads them from the system properties, and does not describe them; and the launcher's, for
     * which alone it is not worth to read the descriptions at each start.
     */
    private static final Set<String> SYSTEM_PROPERTIES = Set.of(
            "spring.profiles.include",
            "spring.aot.enabled",
            "spring.beaninfo.ignore",
            "spring.classformat.ignore",
            "spring.context.checkpoint",
            "spring.context.exit",
            "spring.expression.compiler.mode",
            "spring.getenv.ignore",
            "spring.jndi.ignore",
            "spring.locking.strict",
            "spring.objenesis.ignore");

    /** Kubernetes gives every pod SERVER_PORT for a Service named server. */
    private static final String SERVICE_LINK = "tcp://";

    /** Whether each is a group of keys that may be anything. */
    private final Map<ConfigurationPropertyName, Boolean> known;

    private PlatformSettings(Map<ConfigurationPropertyName, Boolean> known) {
        this.known = known;
    }

    /** Reads what the libraries say about their settings. */
    static PlatformSettings load() {
        Map<ConfigurationPropertyName, Boolean> known = new HashMap<>();
        ObjectMapper json = new ObjectMapper();
        try {
            for (URL metadata :
                    Collections.list(PlatformSettings.class.getClassLoader().getResources(METADATA))) {
                try (InputStream in = metadata.openStream()) {
                    for (JsonNode property : json.readTree(in).path("properties")) {
                        ConfigurationPropertyName name = ConfigurationPropertyName.ofIfValid(
                                property.path("name").asString(""));
                        // What is no longer read is described, too.
                        String deprecation =
                                property.path("deprecation").path("level").asString("");
                        if (name != null && !deprecation.equals("error")) {
                            boolean group = property.path("type").asString("").startsWith("java.util.Map");
                            known.merge(name, group, Boolean::logicalOr);
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The descriptions of the settings cannot be read", e);
        }
        return new PlatformSettings(Map.copyOf(known));
    }

    /** Throws StartupException when there is no such key, or Heddle has its own name for it. */
    void check(String key) {
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(key, '.');
        String own = OWN.get(name);
        if (own == null && MANAGEMENT.isAncestorOf(name)) {
            own = ONE_HTTP_LISTENER;
        }
        if (own != null) {
            throw notToBeSet(key, own);
        }
        checkKnown(key, "");
    }

    private void checkKnown(String key, String place) {
        if (!isKnown(ConfigurationPropertyName.adapt(key, '.'))) {
            throw new StartupException(
                    "unknown setting " + key + place + ": Spring Boot, which the broker is built with, has none of this"
                            + " name; correct or remove it",
                    null);
        }
    }

    /**
     * Throws StartupException when Spring Boot does not know one that stands in a file, in JSON or in a system property. Those of
     * the command line are checked with its other arguments; in the environment, other programs have names like these.
     */
    static void checkKnown(Iterable<PropertySource<?>> sources) {
        PlatformSettings platform = null;
        for (PropertySource<?> source : sources) {
            if (source instanceof EnumerablePropertySource<?> names && isOperators(source)) {
                boolean system = isSystem(source);
                for (String name : names.getPropertyNames()) {
                    if (isPlatforms(name) && !(system && SYSTEM_PROPERTIES.contains(name))) {
                        platform = platform == null ? load() : platform;
                        platform.checkKnown(name, SettingOrigin.of(source, name));
                    }
                }
            }
        }
    }

    private static boolean isOperators(PropertySource<?> source) {
        String name = source.getName();
        return isSystem(source)
                || name.equals(SettingOrigin.JSON)
                || (name.startsWith("Config ") && !name.startsWith("Config resource 'class path resource"));
    }

    private static boolean isSystem(PropertySource<?> source) {
        return source.getName().equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
    }

    private static boolean isPlatforms(String name) {
        return PREFIXES.stream().anyMatch(name::startsWith);
    }

    /** Throws StartupException when one that is Heddle's to say has a value, wherever that comes from. */
    static void checkOwn(Iterable<PropertySource<?>> sources) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.from(sources)) {
            OWN.forEach((name, own) -> refuse(source.getConfigurationProperty(name), own));
            // In the environment the group's other names may be what Kubernetes tells about a Service.
            if (source instanceof IterableConfigurationPropertySource names
                    && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                names.stream()
                        .filter(MANAGEMENT::isAncestorOf)
                        .forEach(name -> refuse(source.getConfigurationProperty(name), ONE_HTTP_LISTENER));
            }
        }
    }

    private static void refuse(@Nullable ConfigurationProperty property, String own) {
        if (property != null && !String.valueOf(property.getValue()).startsWith(SERVICE_LINK)) {
            throw notToBeSet(property.getName() + SettingOrigin.of(property), own);
        }
    }

    private static StartupException notToBeSet(String key, String own) {
        return new StartupException(key + " is set, which is Heddle's own business: remove it; " + own, null);
    }

    private boolean isKnown(ConfigurationPropertyName name) {
        ConfigurationPropertyName each = name;
        while (each.isLastElementIndexed()) {
            each = each.getParent();
        }
        if (known.containsKey(each)) {
            return true;
        }
        for (each = each.getParent(); !each.isEmpty(); each = each.getParent()) {
            if (known.getOrDefault(each, false)) {
                return true;
            }
        }
        return false;
    }
}
