package io.heddle.standalone;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/** Unpacks a tar.gz of files, folders and symbolic links (ustar). Refuses names that lead out of the target. */
final class TarArchive {
    private static final int BLOCK = 512;
    private static final Set<PosixFilePermission> EXECUTABLE = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final Set<PosixFilePermission> PLAIN = PosixFilePermissions.fromString("rw-r--r--");

    private TarArchive() {}

    static void unpack(Path archive, Path target) throws IOException {
        try (DataInputStream in = new DataInputStream(
                new BufferedInputStream(new GZIPInputStream(Files.newInputStream(archive), 1 << 16), 1 << 16))) {
            byte[] header = new byte[BLOCK];
            in.readFully(header);
            // A block of zeros ends the archive.
            while (header[0] != 0) {
                entry(in, header, target);
                in.readFully(header);
            }
        }
    }

    private static void entry(InputStream in, byte[] header, Path target) throws IOException {
        String prefix = text(header, 345, 155);
        String name = text(header, 0, 100);
        Path path = inside(target, target.resolve(prefix.isEmpty() ? name : prefix + "/" + name), name);
        long size = Long.parseLong(text(header, 124, 12).strip(), 8);
        int mode = Integer.parseInt(text(header, 100, 8).strip(), 8);
        switch (header[156]) {
            case '5' -> Files.createDirectories(path);
            case '2' -> {
                Path to = Path.of(text(header, 157, 100));
                inside(target, parent(path).resolve(to), to.toString());
                Files.createDirectories(parent(path));
                Files.createSymbolicLink(path, to);
            }
            case '0', 0 -> {
                Files.createDirectories(parent(path));
                file(in, path, size);
                Files.setPosixFilePermissions(path, (mode & 0100) == 0 ? PLAIN : EXECUTABLE);
            }
            default ->
                throw new IOException("the entry " + name + " is neither a file nor a folder nor a symbolic link");
        }
    }

    private static void file(InputStream in, Path path, long size) throws IOException {
        try (OutputStream out = Files.newOutputStream(path)) {
            byte[] buffer = new byte[1 << 16];
            long left = size;
            while (left > 0) {
                int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (read < 0) {
                    throw new EOFException("the archive ends within " + path.getFileName());
                }
                out.write(buffer, 0, read);
                left -= read;
            }
        }
        in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
    }

    private static Path parent(Path path) throws IOException {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IOException(path + " has no folder");
        }
        return parent;
    }

    private static Path inside(Path target, Path path, String name) throws IOException {
        if (!path.normalize().startsWith(target.normalize())) {
            throw new IOException("the entry " + name + " leads out of the archive");
        }
        return path.normalize();
    }

    private static String text(byte[] header, int from, int length) {
        int end = from;
        while (end < from + length && header[end] != 0) {
            end++;
        }
        return new String(header, from, end - from, StandardCharsets.UTF_8);
    }
}
