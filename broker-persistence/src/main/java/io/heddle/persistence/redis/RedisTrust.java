package io.heddle.persistence.redis;

import io.heddle.core.lifecycle.StartupException;
import io.lettuce.core.SslOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import org.jspecify.annotations.Nullable;

/** Reads the file with the authorities that issue the certificate of Redis. */
final class RedisTrust {
    private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";

    private RedisTrust() {}

    /**
     * Checks the file, and returns options with which the client reads it again for each connection, so that a replaced file counts without a
     * restart.
     *
     * @throws StartupException when the file cannot be used
     */
    static SslOptions read(Path file) {
        byte[] content = content(file);
        if (!new String(content, StandardCharsets.ISO_8859_1).contains(CERTIFICATE)) {
            throw wrong(
                    file,
                    "has no certificate in PEM (" + CERTIFICATE + "): name a file with certificates of authorities, or"
                            + " convert it with openssl x509 -inform der",
                    null);
        }
        try {
            CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(content));
        } catch (CertificateException e) {
            throw wrong(file, "is damaged (" + e.getMessage() + "): copy it again", e);
        }
        return SslOptions.builder().jdkSslProvider().trustManager(file.toFile()).build();
    }

    private static byte[] content(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw wrong(file, "does not exist: correct the path, or create the file", e);
        } catch (AccessDeniedException e) {
            throw wrong(
                    file,
                    "user " + System.getProperty("user.name") + " may not read: change its owner or its permissions",
                    e);
        } catch (IOException e) {
            throw wrong(file, "cannot be read (" + e.getMessage() + "): correct the path", e);
        }
    }

    private static StartupException wrong(Path file, String problem, @Nullable Throwable cause) {
        return new StartupException("heddle.redis.trust-store is " + file + ", which " + problem, cause);
    }
}
