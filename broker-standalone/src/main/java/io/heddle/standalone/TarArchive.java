package io.heddle.standalone;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** Unpacks a tar.gz of files, folders and symbolic links. Rejects entries that lead out of the target folder. */
final class TarArchive {
    private static final Set<PosixFilePermission> EXECUTABLE = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final Set<PosixFilePermission> PLAIN = PosixFilePermissions.fromString("rw-r--r--");
    private static final int OWNER_EXECUTE = 0100;

    private TarArchive() {}

    static void unpack(Path archive, Path target) throws IOException {
        try (TarArchiveInputStream in = new TarArchiveInputStream(
                new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive), 1 << 16), 1 << 16))) {
            for (TarArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                unpack(in, entry, entry.resolveIn(target), target);
            }
        }
    }

    private static void unpack(TarArchiveInputStream in, TarArchiveEntry entry, Path path, Path target)
            throws IOException {
        Path parent = Objects.requireNonNull(path.getParent());
        if (entry.isDirectory()) {
            Files.createDirectories(path);
        } else if (entry.isSymbolicLink()) {
            Path link = Path.of(entry.getLinkName());
            if (!parent.resolve(link).normalize().startsWith(target.normalize())) {
                throw new IOException("the link " + entry.getName() + " leads out of the archive");
            }
            Files.createDirectories(parent);
            Files.createSymbolicLink(path, link);
        } else if (entry.getLinkFlag() == TarConstants.LF_NORMAL || entry.getLinkFlag() == TarConstants.LF_OLDNORM) {
            Files.createDirectories(parent);
            Files.copy(in, path);
            Files.setPosixFilePermissions(path, (entry.getMode() & OWNER_EXECUTE) == 0 ? PLAIN : EXECUTABLE);
        } else {
            throw new IOException(
                    "the entry " + entry.getName() + " is neither a file nor a folder nor a symbolic link");
        }
    }
}
