package io.heddle.app.start;

import io.heddle.app.settings.SettingOrigin;
import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.io.InputStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.Resource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** Validation of the operator's log configuration, because Spring Boot prints a stack trace if it cannot be read. */
final class LogConfiguration {
    private static final String KEY = "logging.config";

    private LogConfiguration() {}

    /** Throws StartupException if the configuration does not exist or is not XML. */
    static void requireReadable(ConfigurableEnvironment environment) {
        String location = environment.getProperty(KEY);
        if (location == null || location.isBlank()) {
            return;
        }
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
