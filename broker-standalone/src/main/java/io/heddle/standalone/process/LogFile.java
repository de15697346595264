package io.heddle.standalone.process;

import io.heddle.standalone.directory.PrivateFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The log of a child across restarts. Bound: two files of ten MiB each, plus the output of one run. */
final class LogFile {
    private static final long MAXIMUM_BYTES = 10 << 20;
    private static final int TAIL_BYTES = 16 << 10;
    private static final int MAXIMUM_LINE = 300;

    private LogFile() {}

    /** Creates the file, readable by the broker's user only. A large file is rotated. */
    static void prepare(Path log) throws IOException {
        if (Files.exists(log) && Files.size(log) > MAXIMUM_BYTES) {
            Files.move(log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
        }
        if (!Files.exists(log)) {
            PrivateFiles.write(log, "");
        }
    }

    /** Returns the last line that is not part of a stack trace, shortened. */
    static String lastLine(Path log) throws IOException {
        byte[] tail;
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            int length = (int) Math.min(TAIL_BYTES, file.length());
            tail = new byte[length];
            file.seek(file.length() - length);
            file.readFully(tail);
        }
        return new String(tail, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("\t") && !line.startsWith(" "))
                .reduce((first, second) -> second)
                .map(line -> line.length() > MAXIMUM_LINE ? line.substring(0, MAXIMUM_LINE) : line)
                .orElse("(nothing)");
    }
}
