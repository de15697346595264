package io.heddle.persistence.redis;

import static io.heddle.persistence.Startup.sentenceOf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisTrustTest {
    @TempDir
    private Path folder;

    @Test
    void aMissingFileIsNamed() {
        Path missing = folder.resolve("ca.crt");

        sentenceOf(() -> RedisTrust.read(missing))
                .contains("heddle.redis.trust-store is " + missing + ", which does not exist: correct the path");
    }

    @Test
    void aFolderIsNoFile() {
        sentenceOf(() -> RedisTrust.read(folder)).contains("heddle.redis.trust-store is " + folder, "cannot be read");
    }

    @Test
    void aFileWithoutCertificatesIsNamed() throws IOException {
        Path file = Files.write(folder.resolve("ca.der"), new byte[] {0x30, (byte) 0x82, 0x01, 0x0a});

        sentenceOf(() -> RedisTrust.read(file))
                .contains("heddle.redis.trust-store is " + file + ", which has no certificate in PEM", "convert it");
    }

    @Test
    void aDamagedCertificateIsNamed() throws IOException {
        Path file = Files.writeString(
                folder.resolve("ca.crt"), "-----BEGIN CERTIFICATE-----\nbm9uc2Vuc2U=\n-----END CERTIFICATE-----\n");

        sentenceOf(() -> RedisTrust.read(file))
                .contains("heddle.redis.trust-store is " + file + ", which is damaged", "copy it again");
    }
}
