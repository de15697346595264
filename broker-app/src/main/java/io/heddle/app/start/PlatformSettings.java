package io.heddle.app.start;

import io.heddle.app.settings.SettingOrigin;
import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Rejects settings of Spring Boot that Heddle manages itself, and those that Spring Boot does not know, which it would ignore. */
final class PlatformSettings {
    private static final String METADATA = "META-INF/spring-configuration-metadata.json";
    private static final Pattern NAME = Pattern.compile("(spring|server|management|logging)\\..*");
    private static final String HTTP = "use heddle.http.port (--http-port) and heddle.http.bind (--bind)";
    private static final String TLS =
            "use heddle.http.tls.certificate, heddle.http.tls.key and heddle.http.tls.key-password";
    private static final String LOG =
            "the log goes to standard output, or to the data directory (--data-dir) of ./heddle";
    private static final String DISK = "use heddle.standalone.data-dir (--data-dir) and heddle.standalone.minimum-free";

    /** Settings and groups of settings that Heddle manages, with its own settings for them. */
    private static final Map<ConfigurationPropertyName, String> MANAGED = managed();

    private static Map<ConfigurationPropertyName, String> managed() {
        Map<ConfigurationPropertyName, String> managed = new LinkedHashMap<>();
        for (String http : List.of(
                "server.port",
                "server.address",
                "management.server",
                "management.server.port",
                "management.server.address",
                "spring.main.web-application-type")) {
            managed.put(ConfigurationPropertyName.of(http), HTTP);
        }
        // A variable of the environment is found only by a whole key.
        for (String tls : List.of(
                "server.ssl",
                "server.ssl.bundle",
                "server.ssl.certificate",
                "server.ssl.certificate-private-key",
                "server.ssl.enabled",
                "server.ssl.key-store",
                "spring.ssl")) {
            managed.put(ConfigurationPropertyName.of(tls), TLS);
        }
        managed.put(ConfigurationPropertyName.of("logging.file.path"), LOG);
        managed.put(ConfigurationPropertyName.of("logging.file.name"), LOG);
        managed.put(ConfigurationPropertyName.of("management.health.diskspace.path"), DISK);
        managed.put(ConfigurationPropertyName.of("management.health.diskspace.threshold"), DISK);
        return managed;
    }

    /** System properties of Spring below Spring Boot, which its metadata does not describe, and the launcher's profile. */
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

    /** Kubernetes sets SERVER_PORT in every pod for a Service named server. */
    private static final String SERVICE_LINK = "tcp://";

    private PlatformSettings() {}

    /**
     * Throws StartupException if one of the sources contains such a setting. Unknown names are accepted in the environment, where other
     * programs use similar names.
     */
    static void check(Iterable<PropertySource<?>> sources) {
        Map<ConfigurationPropertyName, Boolean> known = null;
        for (PropertySource<?> source : sources) {
            if (source.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME)) {
                rejectManagedVariables(source);
            } else if (source instanceof EnumerablePropertySource<?> names && isOperators(source)) {
                for (String name : names.getPropertyNames()) {
                    if (NAME.matcher(name).matches() && !isOfJvm(source, name)) {
                        String origin = SettingOrigin.of(source, name);
                        ConfigurationPropertyName key = ConfigurationPropertyName.adapt(name, '.');
                        rejectManaged(key, name + origin);
                        // Reading the metadata takes time, so only if such a setting is given.
                        known = known == null ? readMetadata() : known;
                        rejectUnknown(known, key, name + origin);
                    }
                }
            }
        }
    }

    private static boolean isOperators(PropertySource<?> source) {
        return !source.getName().contains("class path resource")
                && !source.getName().equals("applicationInfo");
    }

    private static boolean isOfJvm(PropertySource<?> source, String name) {
        return source.getName().equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)
                && SYSTEM_PROPERTIES.contains(name);
    }

    private static void rejectManagedVariables(PropertySource<?> environment) {
        ConfigurationPropertySource variables = ConfigurationPropertySource.from(environment);
        for (ConfigurationPropertyName key : MANAGED.keySet()) {
            ConfigurationProperty property = variables == null ? null : variables.getConfigurationProperty(key);
            if (property != null && !String.valueOf(property.getValue()).startsWith(SERVICE_LINK)) {
                rejectManaged(key, key + SettingOrigin.of(property));
            }
        }
    }

    private static void rejectManaged(ConfigurationPropertyName key, String text) {
        for (ConfigurationPropertyName each = key; !each.isEmpty(); each = each.getParent()) {
            @Nullable String instead = MANAGED.get(each);
            if (instead != null) {
                throw new StartupException(text + " is managed by Heddle: remove it; " + instead, null);
            }
        }
    }

    private static void rejectUnknown(
            Map<ConfigurationPropertyName, Boolean> known, ConfigurationPropertyName key, String text) {
        ConfigurationPropertyName name = key;
        while (name.isLastElementIndexed()) {
            name = name.getParent();
        }
        boolean found = known.containsKey(name);
        for (; !found && !name.isEmpty(); name = name.getParent()) {
            found = known.getOrDefault(name, false);
        }
        if (!found) {
            throw new StartupException(
                    "unknown setting " + text + ": Spring Boot has no setting of this name; correct or remove it",
                    null);
        }
    }

    /** Returns the settings that the libraries on the class path describe, and whether each accepts any keys below it. */
    private static Map<ConfigurationPropertyName, Boolean> readMetadata() {
        Map<ConfigurationPropertyName, Boolean> known = new HashMap<>();
        ObjectMapper json = new ObjectMapper();
        try {
            for (URL metadata :
                    Collections.list(PlatformSettings.class.getClassLoader().getResources(METADATA))) {
                try (InputStream in = metadata.openStream()) {
                    for (JsonNode property : json.readTree(in).path("properties")) {
                        // Settings that were removed are described, too, with this level.
                        if (!property.at("/deprecation/level").asString("").equals("error")) {
                            known.merge(
                                    ConfigurationPropertyName.adapt(
                                            property.path("name").asString(), '.'),
                                    property.path("type").asString("").startsWith("java.util.Map"),
                                    Boolean::logicalOr);
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + METADATA, e);
        }
        return known;
    }
}
