package io.heddle.app.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The licences of everything that the built distribution contains, and of small distributions with one mistake each. */
@Tag("ci")
final class NoticeIT {
    private static final byte[] BINARY = {0x7f, 'E', 'L', 'F', 2, 1};

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path distribution;

    /** Makes a distribution without mistakes. */
    @BeforeEach
    void makeADistribution() throws IOException {
        write("LICENSE", "Apache License");
        write("licenses/redis.txt", "Redis");
        write("licenses/zlib.txt", "zlib");
        write("lib/redis/redis-6.2.11", BINARY);
        write("lib/start.sh", "#!/bin/sh");
        jar("heddle-app.jar");
        jar("spring-core-7.0.8.jar", "META-INF/license.txt");
        jar("picocli-4.7.7.jar");
        archive("postgresql.tar.gz", "lib/libz.so.1");
        write("NOTICE", """
                Heddle: the entries follow.

                Redis 6.2.11, BSD-3-Clause: licenses/redis.txt
                  redis-6.2.11
                picocli, Apache-2.0: LICENSE
                  picocli-*.jar
                zlib, zlib License: licenses/zlib.txt
                  postgresql.tar.gz,
                  lib/libz.so.*
                """);
    }

    private void write(String file, String text) throws IOException {
        write(file, text.getBytes(UTF_8));
    }

    private void write(String file, byte[] bytes) throws IOException {
        Path path = distribution.resolve(file);
        Files.createDirectories(path.getParent());
        Files.write(path, bytes);
    }

    private void jar(String name, String... entries) throws IOException {
        Path file = Files.createDirectories(distribution.resolve("lib/app")).resolve(name);
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
            for (String entry : entries) {
                jar.putNextEntry(new JarEntry(entry));
            }
        }
    }

    private void archive(String name, String... libraries) throws IOException {
        try (OutputStream file =
                        Files.newOutputStream(distribution.resolve("lib").resolve(name));
                TarArchiveOutputStream archive = new TarArchiveOutputStream(new GZIPOutputStream(file))) {
            for (String library : libraries) {
                TarArchiveEntry entry = new TarArchiveEntry(library);
                entry.setSize(BINARY.length);
                archive.putArchiveEntry(entry);
                archive.write(BINARY);
                archive.closeArchiveEntry();
            }
        }
    }

    private void assertProblem(String sentence) throws IOException {
        assertThat(Notice.problems(distribution)).singleElement().asString().startsWith(sentence);
    }

    @Test
    void noticeNamesEachFileOfTheDistributionWithItsLicence() throws IOException {
        assertThat(Notice.problems(Path.of("target", "distribution"))).isEmpty();
    }

    @Test
    void aDistributionWithoutMistakesHasNoProblems() throws IOException {
        assertThat(Notice.problems(distribution)).isEmpty();
    }

    @Test
    void aNewNativeLibraryIsAProblem() throws IOException {
        write("lib/native/libnew.so", BINARY);

        assertProblem("lib/native/libnew.so is in no entry of NOTICE: find the licences of everything in it");
    }

    @Test
    void aNewVersionOfABinaryIsAProblem() throws IOException {
        Files.move(distribution.resolve("lib/redis/redis-6.2.11"), distribution.resolve("lib/redis/redis-7.2.5"));

        assertThat(Notice.problems(distribution))
                .satisfiesExactly(
                        problem -> assertThat(problem).startsWith("lib/redis/redis-7.2.5 is in no entry of NOTICE"),
                        problem -> assertThat(problem)
                                .isEqualTo("NOTICE names redis-6.2.11, which is not in the distribution: correct the"
                                        + " entry of Redis 6.2.11, BSD-3-Clause, its version and its licence text"));
    }

    @Test
    void aNewLibraryInAnArchiveIsAProblem() throws IOException {
        archive("postgresql.tar.gz", "lib/libz.so.1", "lib/libreadline.so.8");

        assertProblem("lib/libreadline.so.8 in postgresql.tar.gz is in no entry of NOTICE");
    }

    @Test
    void aJarWithoutALicenceIsAProblem() throws IOException {
        jar("new-1.0.jar", "META-INF/NOTICE", "META-INF/resources/script.js.LICENSE.txt");

        assertProblem("lib/app/new-1.0.jar is in no entry of NOTICE");
    }

    @Test
    void aJarWithANativeLibraryIsAProblemAlsoIfItHasALicence() throws IOException {
        jar("new-1.0.jar", "META-INF/LICENSE", "linux/amd64/libnew.so");

        assertProblem("lib/app/new-1.0.jar is in no entry of NOTICE");
    }

    @Test
    void aMissingTextIsAProblem() throws IOException {
        Files.delete(distribution.resolve("licenses/redis.txt"));

        assertProblem("licenses/redis.txt is missing: add the licence text of Redis 6.2.11, BSD-3-Clause");
    }

    @Test
    void aTextWithoutAnEntryIsAProblem() throws IOException {
        write("licenses/old.txt", "old");

        assertProblem("licenses/old.txt is in no entry of NOTICE: add an entry, or remove the text");
    }
}
