package io.heddle.app.packaging;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * A file with software of another project in a distribution, or in an archive in it.
 *
 * @param place the file, for messages
 * @param path relative to the distribution, or to the archive
 * @param hasLicence whether the file contains the licence of everything in it
 */
record BundledFile(String place, Path path, boolean hasLicence) {
    private static final Pattern OWN_JAR = Pattern.compile("(broker|heddle)-.*\\.jar");
    private static final Pattern LICENCE = Pattern.compile("(?i)(META-INF/)?(LICEN[CS]E|COPYING)[^/]*");
    private static final Pattern NATIVE_LIBRARY = Pattern.compile("(?i).*\\.(so|dylib|jnilib|dll|a)");
    /** Of executables and libraries of Linux, and of static libraries. */
    private static final List<String> BINARY_MAGICS = List.of("\u007fELF", "!<ar");

    private static final int MAGIC_BYTES = 4;

    /** Returns the jars of other projects, the archives, and the binaries inside and outside archives. */
    static List<BundledFile> in(Path distribution) throws IOException {
        List<Path> files;
        try (Stream<Path> paths = Files.walk(distribution)) {
            files = paths.filter(Files::isRegularFile).sorted().toList();
        }
        List<BundledFile> bundled = new ArrayList<>();
        for (Path file : files) {
            Path path = distribution.relativize(file);
            String name = file.getFileName().toString();
            if (name.endsWith(".jar")) {
                if (!OWN_JAR.matcher(name).matches()) {
                    bundled.add(new BundledFile(path.toString(), path, hasLicence(file)));
                }
            } else if (name.endsWith(".tar.gz")) {
                bundled.add(new BundledFile(path.toString(), path, false));
                bundled.addAll(inArchive(file));
            } else if (isBinary(file)) {
                bundled.add(new BundledFile(path.toString(), path, false));
            }
        }
        return bundled;
    }

    /** A licence in a jar is seldom also that of a native library in it. */
    private static boolean hasLicence(Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            List<String> names = jar.stream().map(JarEntry::getName).toList();
            return names.stream().anyMatch(name -> LICENCE.matcher(name).matches())
                    && names.stream()
                            .noneMatch(name -> NATIVE_LIBRARY.matcher(name).matches());
        }
    }

    private static List<BundledFile> inArchive(Path file) throws IOException {
        List<BundledFile> bundled = new ArrayList<>();
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file));
                TarArchiveInputStream archive = new TarArchiveInputStream(new GZIPInputStream(bytes))) {
            for (TarArchiveEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                if (entry.isFile() && isBinary(archive)) {
                    Path path = Path.of(entry.getName()).normalize();
                    bundled.add(new BundledFile(path + " in " + file.getFileName(), path, false));
                }
            }
        }
        return bundled;
    }

    private static boolean isBinary(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file)) {
            return isBinary(bytes);
        }
    }

    private static boolean isBinary(InputStream bytes) throws IOException {
        return BINARY_MAGICS.contains(new String(bytes.readNBytes(MAGIC_BYTES), StandardCharsets.ISO_8859_1));
    }
}
