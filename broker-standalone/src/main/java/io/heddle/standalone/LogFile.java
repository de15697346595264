package io.heddle.standalone;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The file that takes a child's output over all its lives. At most two of ten MiB and what one life adds. */
final class LogFile {
    private static final long MAXIMUM_BYTES = 10 << 20;
    private static final int TAIL_BYTES = 16 << 10;
    private static final int WORDS_CHARACTERS = 300;

    private LogFile() {}

    /** Creates it for the broker's user alone; one that has grown large becomes the previous one. */
    static void prepare(Path log) throws IOException {
        if (Files.exists(log) && Files.size(log) > MAXIMUM_BYTES) {
            Files.move(log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
        }
        if (!Files.exists(log)) {
            PrivateFiles.write(log, "");
        }
    }

    /** The last line that is not part of a stack trace, shortened. */
    static String lastWords(Path log) throws IOException {
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
                .map(line -> line.length() > WORDS_CHARACTERS ? line.substring(0, WORDS_CHARACTERS) : line)
                .orElse("(nothing)");
    }
}
