package io.heddle.app.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Name and version of the program, as printed by {@code --version}. The build writes the version next to the classes. */
public final class ProgramVersion {
    private static final String BUILD = "/META-INF/build-info.properties";

    private ProgramVersion() {}

    public static String text() {
        Properties build = new Properties();
        try (InputStream in = ProgramVersion.class.getResourceAsStream(BUILD)) {
            if (in == null) {
                throw new IllegalStateException("The build did not write " + BUILD);
            }
            build.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + BUILD, e);
        }
        return "Heddle " + build.getProperty("build.version");
    }
}
