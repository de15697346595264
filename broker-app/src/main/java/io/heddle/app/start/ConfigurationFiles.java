package io.heddle.app.start;

import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.config.ConfigDataNotFoundException;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.json.JsonParseException;
import org.springframework.context.ApplicationListener;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.FileUrlResource;
import org.springframework.core.io.Resource;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Opens configuration files for Spring Boot and remembers the latest one, because Spring Boot's parsers do not name the file that they
 * fail on. Belongs to the thread that starts the broker. States: reading, and read once the settings are checked.
 */
final class ConfigurationFiles extends DefaultResourceLoader
        implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {
    private @Nullable String latest;
    private boolean read;

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        read = true;
    }

    @Override
    public Resource getResource(String location) {
        Resource resource = super.getResource(location);
        return resource instanceof FileUrlResource file ? new ConfigurationFile(file.getURL()) : resource;
    }

    /** Returns one sentence about the configuration if reading it failed, otherwise the failure itself. */
    RuntimeException explain(RuntimeException failure) {
        // A value of the wrong type is explained elsewhere.
        boolean other = read
                || StartupFailure.find(failure, StartupException.class) != null
                || StartupFailure.find(failure, BindException.class) != null
                || StartupFailure.find(failure, ConversionFailedException.class) != null;
        return other ? failure : new StartupException(sentence(failure), failure);
    }

    private String sentence(RuntimeException failure) {
        if (StartupFailure.find(failure, JsonParseException.class) != null) {
            return "spring.application.json, which SPRING_APPLICATION_JSON in the environment may set, is not JSON: write an"
                    + " object such as {\"heddle\": {\"mqtt\": {\"port\": 1884}}}, or remove it";
        }
        ConfigDataNotFoundException missing = StartupFailure.find(failure, ConfigDataNotFoundException.class);
        if (missing != null) {
            return "the configuration's " + missing.getReferenceDescription() + " does not exist: correct"
                    + " spring.config.location, spring.config.additional-location or spring.config.import, or prefix the"
                    + " location with optional:";
        }
        MarkedYAMLException yaml = StartupFailure.find(failure, MarkedYAMLException.class);
        if (yaml != null && yaml.getProblemMark() != null) {
            return latest + ", line " + (yaml.getProblemMark().getLine() + 1) + ", is not YAML ("
                    + oneLine(yaml.getProblem()) + "): correct that line, or an unfinished one above it";
        }
        String reason =
                oneLine(NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
        if (StartupFailure.find(failure, YAMLException.class) != null) {
            return latest + " is not YAML (" + reason + "): correct it; its text must be UTF-8";
        }
        return (latest == null ? "the configuration" : "the configuration file " + latest) + " cannot be used ("
                + (failure.getCause() == null ? "" : oneLine(failure.getMessage()) + ": ") + reason
                + "): correct or remove it";
    }

    private static String oneLine(@Nullable String text) {
        return String.valueOf(text).replaceAll("\\s+", " ").strip();
    }

    private final class ConfigurationFile extends FileUrlResource {
        private ConfigurationFile(URL url) {
            super(url);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            latest = getFile().getPath();
            if (getFile().isDirectory()) {
                // Java would return the names of its files as its text.
                throw new StartupException(
                        "the configuration file " + latest + " is a directory: replace it with a file, or remove it",
                        null);
            }
            return super.getInputStream();
        }
    }
}
