package io.heddle.persistence.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;

/** A file with a JWK Set. Each change has a time of its own, also if the clock of the file system is coarse. */
record KeyFile(Path path) {
    private static final Instant FIRST = Instant.parse("2026-11-01T12:00:00Z");

    /** Writes the keys, each with the name of its place. */
    void write(Signer... signers) {
        text("{\"keys\":["
                + Arrays.stream(signers)
                        .map(each -> each.jwk("key" + Arrays.asList(signers).indexOf(each))
                                .toJson(OutputControlLevel.INCLUDE_SYMMETRIC))
                        .collect(Collectors.joining(","))
                + "]}");
    }

    void text(String text) {
        try {
            Instant next = Files.exists(path)
                    ? Files.getLastModifiedTime(path).toInstant().plusSeconds(1)
                    : FIRST;
            Files.writeString(path, text);
            Files.setLastModifiedTime(path, FileTime.from(next));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    void delete() {
        try {
            Files.delete(path);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Reads the keys as the settings do. */
    KeySet read() {
        try {
            return KeySet.ofFile(new String(Files.readAllBytes(path), UTF_8));
        } catch (IOException | IllegalArgumentException wrong) {
            throw new StartupException("planted by a test", wrong);
        }
    }
}
