package io.heddle.app.start;

import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.config.ConfigDataException;
import org.springframework.boot.context.config.ConfigDataNotFoundException;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.FileUrlResource;
import org.springframework.core.io.Resource;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Opens the operator's configuration files for Spring Boot, whose parsers do not say which file they failed on, and turns such a
 * failure into a sentence. One thread, that of the start. States: reading, and read when the settings are about to be checked.
 */
final class ConfigurationFiles extends DefaultResourceLoader
        implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    private static final Pattern WITHOUT_NAME = Pattern.compile("document(\\[|$)");

    private @Nullable String openedLast;
    private boolean read;

    /** After Spring Boot has read the files, and before anything is made of them. */
    @Override
    public int getOrder() {
        return SettingsCheck.ORDER - 1;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        for (PropertySource<?> source : event.getEnvironment().getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> names) {
                requireMapping(names);
            }
        }
        read = true;
    }

    /** A list, or a value alone, Spring Boot takes for a setting of the name "document", which nobody asks for. */
    private static void requireMapping(EnumerablePropertySource<?> source) {
        for (String name : source.getPropertyNames()) {
            if (WITHOUT_NAME.matcher(name).lookingAt()
                    && OriginLookup.getOrigin(source, name) instanceof TextResourceOrigin text
                    && text.getResource() != null
                    && isYamlWithoutNames(text.getResource())) {
                throw new StartupException(
                        "the configuration file " + path(text.getResource())
                                + " holds a list or a value alone, and no settings: write each with its name, such as"
                                + " heddle.mqtt.port: 1884",
                        null);
            }
        }
    }

    private static boolean isYamlWithoutNames(Resource resource) {
        String name = String.valueOf(resource.getFilename());
        if (!name.endsWith(".yaml") && !name.endsWith(".yml")) {
            return false;
        }
        try (Reader text = new InputStreamReader(resource.getInputStream(), StandardCharsets.UTF_8)) {
            for (Node document : new Yaml().composeAll(text)) {
                if (!(document instanceof MappingNode) && !document.getTag().equals(Tag.NULL)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("The configuration file " + name + " cannot be read again", e);
        }
    }

    private static String path(Resource resource) {
        try {
            return resource.getFile().getPath();
        } catch (IOException e) {
            return resource.getDescription();
        }
    }

    @Override
    public Resource getResource(String location) {
        Resource resource = super.getResource(location);
        return resource instanceof FileUrlResource file ? new OperatorsFile(file.getURL()) : resource;
    }

    /** The failure as one sentence when the configuration's text is to blame for it; otherwise as it was. */
    RuntimeException explain(RuntimeException failure) {
        if (read || find(failure, StartupException.class) != null) {
            return failure;
        }
        String sentence = sentence(failure);
        return sentence == null ? failure : new StartupException(sentence, failure);
    }

    private @Nullable String sentence(RuntimeException failure) {
        if (find(failure, JsonParseException.class) != null) {
            return "spring.application.json, which SPRING_APPLICATION_JSON in the environment may set, is not JSON: write an"
                    + " object such as {\"heddle\": {\"mqtt\": {\"port\": 1884}}}, or remove it";
        }
        ConfigDataNotFoundException missing = find(failure, ConfigDataNotFoundException.class);
        if (missing != null) {
            return "the configuration's " + missing.getReferenceDescription() + " is not there: correct"
                    + " spring.config.location, spring.config.additional-location or spring.config.import, whichever names"
                    + " it, or write optional: before it";
        }
        MarkedYAMLException yaml = find(failure, MarkedYAMLException.class);
        if (yaml != null && yaml.getProblemMark() != null) {
            return openedLast + ", line " + (yaml.getProblemMark().getLine() + 1) + ", is not YAML ("
                    + oneLine(yaml.getProblem()) + "): correct that line, or one above it that is not finished";
        }
        if (find(failure, YAMLException.class) != null) {
            return openedLast + " is not YAML (" + reason(failure) + "): correct it; its text must be UTF-8";
        }
        // A value of the wrong kind is named better elsewhere.
        if (find(failure, BindException.class) == null && isAboutText(failure)) {
            return (openedLast == null ? "the configuration" : "the configuration file " + openedLast)
                    + " cannot be used (" + whole(failure) + "): correct or remove it";
        }
        return null;
    }

    private static boolean isAboutText(RuntimeException failure) {
        return failure instanceof ConfigDataException
                || failure instanceof IllegalStateException
                || failure instanceof IllegalArgumentException;
    }

    private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return type.cast(each);
            }
        }
        return null;
    }

    /** What was done, and why it failed. */
    private static String whole(RuntimeException failure) {
        String reason = reason(failure);
        return failure.getCause() == null ? reason : oneLine(failure.getMessage()) + ": " + reason;
    }

    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return oneLine(root.getMessage() == null ? root.toString() : root.getMessage());
    }

    private static String oneLine(@Nullable String text) {
        return String.valueOf(text).replaceAll("\\s+", " ").strip();
    }

    /** Takes note when it is opened. */
    private final class OperatorsFile extends FileUrlResource {
        private OperatorsFile(URL url) {
            super(url);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            openedLast = getFile().getPath();
            if (getFile().isDirectory()) {
                // Java would hand out the names in it as its text.
                throw new StartupException(
                        "the configuration file " + openedLast
                                + " is a directory: put a file in its place, or remove it",
                        null);
            }
            return super.getInputStream();
        }
    }
}
