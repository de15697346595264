package io.heddle.app.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What {@code --version} prints: the program's name and the version that the build has written beside the classes. */
public final class ProgramVersion {
    private static final String BUILD = "/META-INF/build-info.properties";

    private ProgramVersion() {}

    /** On one line. */
    public static String text() {
        Properties build = new Properties();
        try (InputStream in = ProgramVersion.class.getResourceAsStream(BUILD)) {
            if (in == null) {
                throw new IllegalStateException("The build has not written " + BUILD);
            }
            build.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(BUILD + " cannot be read", e);
        }
        return "Heddle " + build.getProperty("build.version");
    }
}
