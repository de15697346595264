package io.heddle.standalone;

import io.heddle.standalone.directory.StandaloneException;
import java.util.Locale;

/** The platforms with bundled server binaries. */
enum Platform {
    LINUX_X86_64("linux-x86_64"),
    LINUX_AARCH64("linux-aarch64");

    private final String label;

    Platform(String label) {
        this.label = label;
    }

    /** The name in the bundled files. */
    String label() {
        return label;
    }

    static Platform current() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /** From {@code os.name} and {@code os.arch}. Throws StandaloneException if the platform is not supported. */
    static Platform of(String system, String architecture) {
        if (system.toLowerCase(Locale.ROOT).equals("linux")) {
            switch (architecture) {
                case "amd64", "x86_64" -> {
                    return LINUX_X86_64;
                }
                case "aarch64", "arm64" -> {
                    return LINUX_AARCH64;
                }
                default -> {}
            }
        }
        throw new StandaloneException(
                "Kafka, Redis and PostgreSQL are bundled for Linux on x86_64 and aarch64, not for " + system + " on "
                        + architecture + ": " + StandaloneException.EXTERNAL_SERVERS + ".");
    }
}
