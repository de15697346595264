package io.heddle.app.start;

import io.heddle.app.settings.SettingOrigin;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.Resource;
import org.springframework.util.ClassUtils;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Validation of the operator's log configuration, because Spring Boot prints a stack trace if it cannot be read, and ignores settings that
 * {@code logback-spring.xml} does not use.
 */
final class LogConfiguration {
    private static final String KEY = "logging.config";
    private static final String CONSOLE_FORMAT = "logging.structured.format.console";
    private static final String FILE_FORMAT = "logging.structured.format.file";
    private static final Set<String> FORMATS = Set.of("ecs", "gelf", "logstash");

    /** Settings that Spring Boot uses only in its own configurations of Logback. */
    private static final List<String> WITHOUT_EFFECT = List.of(
            "logging.charset.console",
            "logging.charset.file",
            "logging.console.enabled",
            "logging.exception-conversion-word",
            "logging.logback.rollingpolicy.clean-history-on-start",
            "logging.logback.rollingpolicy.file-name-pattern",
            "logging.logback.rollingpolicy.max-file-size",
            "logging.logback.rollingpolicy.max-history",
            "logging.logback.rollingpolicy.total-size-cap",
            "logging.pattern.console",
            "logging.pattern.correlation",
            "logging.pattern.dateformat",
            "logging.pattern.file",
            "logging.pattern.level",
            "logging.threshold.console",
            "logging.threshold.file");

    private LogConfiguration() {}

    /** Throws StartupException if the configuration does not exist or is not XML, or if a setting of the log would have no effect. */
    static void check(ConfigurableEnvironment environment) {
        String location = environment.getProperty(KEY);
        if (location == null || location.isBlank()) {
            checkSettings(environment);
        } else {
            requireReadable(environment, location);
        }
    }

    private static void checkSettings(ConfigurableEnvironment environment) {
        for (String key : WITHOUT_EFFECT) {
            reject(environment, key, "remove it, or set " + KEY + " to a configuration of Logback that uses it");
        }
        if (environment.acceptsProfiles(StandaloneSettings.PROFILE)) {
            reject(
                    environment,
                    CONSOLE_FORMAT,
                    "the terminal of ./heddle shows warnings only; set " + FILE_FORMAT
                            + " for the log in the data directory");
            requireFormat(environment, FILE_FORMAT);
        } else {
            reject(
                    environment,
                    FILE_FORMAT,
                    "this broker logs to standard output, not to a file; set " + CONSOLE_FORMAT);
            requireFormat(environment, CONSOLE_FORMAT);
        }
    }

    private static void reject(ConfigurableEnvironment environment, String key, String remedy) {
        ConfigurationProperty found = SettingOrigin.find(environment, key);
        if (found != null) {
            throw new StartupException(key + SettingOrigin.of(found) + " would have no effect: " + remedy, null);
        }
    }

    /** Spring Boot prints a stack trace for a format that it does not know. */
    private static void requireFormat(ConfigurableEnvironment environment, String key) {
        String format = environment.getProperty(key);
        if (format != null
                && !FORMATS.contains(format.toLowerCase(Locale.ROOT))
                && !(format.contains(".") && ClassUtils.isPresent(format, null))) {
            throw new StartupException(
                    key + SettingOrigin.of(SettingOrigin.find(environment, key)) + " is " + format
                            + ": set it to ecs, gelf or logstash, or to a class that implements StructuredLogFormatter",
                    null);
        }
    }

    private static void requireReadable(ConfigurableEnvironment environment, String location) {
        String fault = fault(ApplicationResourceLoader.get().getResource(location.strip()));
        if (fault != null) {
            throw new StartupException(
                    KEY + SettingOrigin.of(SettingOrigin.find(environment, KEY)) + " is " + location + ", which "
                            + fault + ": set it to a configuration of Logback, or remove the setting",
                    null);
        }
    }

    private static @Nullable String fault(Resource configuration) {
        if (!configuration.exists()) {
            return "does not exist";
        }
        try (InputStream in = configuration.getInputStream()) {
            SAXParserFactory parsers = SAXParserFactory.newInstance();
            parsers.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            parsers.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
            parsers.newSAXParser().parse(in, new DefaultHandler());
            return null;
        } catch (IOException e) {
            return "is not readable";
        } catch (SAXException e) {
            return "is not XML (" + e.getMessage() + ")";
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("Java has no XML parser", e);
        }
    }
}
