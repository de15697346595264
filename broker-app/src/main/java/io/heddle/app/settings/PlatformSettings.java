package io.heddle.app.settings;

import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * The settings of Spring Boot below the broker, which an operator may reach for on the command line. Known are those that the
 * libraries on the class path describe; those that Heddle has a setting of its own for are not to be used. Immutable.
 */
public final class PlatformSettings {
    private static final String METADATA = "META-INF/spring-configuration-metadata.json";

    private static final String LOG =
            "the log goes to standard output, or to the data directory (--data-dir) of ./heddle";

    /** What is Heddle's to say, and how. */
    private static final Map<ConfigurationPropertyName, String> OWN = Map.of(
            ConfigurationPropertyName.of("server.port"),
            "use heddle.http.port (--http-port)",
            ConfigurationPropertyName.of("server.address"),
            "use heddle.http.bind (--bind)",
            ConfigurationPropertyName.of("logging.file.path"),
            LOG,
            ConfigurationPropertyName.of("logging.file.name"),
            LOG);

    /** Kubernetes gives every pod SERVER_PORT for a Service named server. */
    private static final String SERVICE_LINK = "tcp://";

    /** Whether each is a group of keys that may be anything. */
    private final Map<ConfigurationPropertyName, Boolean> known;

    private PlatformSettings(Map<ConfigurationPropertyName, Boolean> known) {
        this.known = known;
    }

    /** Reads what the libraries say about their settings. */
    public static PlatformSettings load() {
        Map<ConfigurationPropertyName, Boolean> known = new HashMap<>();
        ObjectMapper json = new ObjectMapper();
        try {
            for (URL metadata :
                    Collections.list(PlatformSettings.class.getClassLoader().getResources(METADATA))) {
                try (InputStream in = metadata.openStream()) {
                    for (JsonNode property : json.readTree(in).path("properties")) {
                        ConfigurationPropertyName name = ConfigurationPropertyName.ofIfValid(
                                property.path("name").asString(""));
                        if (name != null) {
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
    public void check(String key) {
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(key, '.');
        String own = OWN.get(name);
        if (own != null) {
            throw notToBeSet(key, own);
        }
        if (!isKnown(name)) {
            throw new StartupException(
                    "unknown setting " + key + ": Spring Boot, which the broker is built with, has none of this name;"
                            + " correct or remove it",
                    null);
        }
    }

    /**
     * Throws StartupException when one that is Heddle's to say has a value, wherever that comes from.
     *
     * @param values by key; null when it has none
     */
    public static void checkOwn(Function<String, @Nullable String> values) {
        OWN.forEach((name, own) -> {
            String value = values.apply(name.toString());
            if (value != null && !value.startsWith(SERVICE_LINK)) {
                throw notToBeSet(name.toString(), own);
            }
        });
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
