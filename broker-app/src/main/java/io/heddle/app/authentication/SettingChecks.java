package io.heddle.app.authentication;

import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Reads files and addresses that settings name. What cannot be used is a {@link StartupException}. */
final class SettingChecks {
    private static final int MAXIMUM_FILE_BYTES = 1 << 20;

    private SettingChecks() {}

    /** Turns the clause of a wrong value into the sentence of a failed start. */
    static <T> T require(String setting, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException wrong) {
            throw new StartupException(setting + " " + wrong.getMessage(), wrong);
        }
    }

    /** Reads a file of at most {@value #MAXIMUM_FILE_BYTES} bytes. Called in {@link #require}. */
    static byte[] read(String setting, String name) {
        try {
            Path file = Path.of(name);
            if (Files.size(file) > MAXIMUM_FILE_BYTES) {
                throw new IllegalArgumentException("names a file of more than " + MAXIMUM_FILE_BYTES + " bytes");
            }
            return Files.readAllBytes(file);
        } catch (IOException | InvalidPathException unreadable) {
            throw new StartupException(
                    setting + " names a file that cannot be read: check its name and permissions", unreadable);
        }
    }

    /**
     * Reads the address of a web server.
     *
     * @param allowHttp whether its connection may have no TLS, also to other machines
     * @param danger what others on the way could do without TLS
     * @param permission the setting that allows it
     */
    static URI address(String setting, String text, boolean allowHttp, String danger, String permission) {
        try {
            URI address = new URI(text);
            String host = address.getHost();
            boolean isHttp = "http".equalsIgnoreCase(address.getScheme());
            if (host == null
                    || address.getUserInfo() != null
                    || address.getFragment() != null
                    || !(isHttp || "https".equalsIgnoreCase(address.getScheme()))) {
                throw new StartupException(
                        setting + " is not the address of a web server: write https://host/path", null);
            }
            if (isHttp && !allowHttp && !isLoopback(host)) {
                throw new StartupException(
                        setting + " begins with http://, so anybody on the way could " + danger
                                + ": use https://, or allow it with " + permission + "=true",
                        null);
            }
            return address;
        } catch (URISyntaxException wrong) {
            throw new StartupException(setting + " is not an address: write https://host/path", wrong);
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return host.equals("localhost") || InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException name) {
            return false;
        }
    }
}
