package io.heddle.perf.load.process;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the output of {@code jcmd GC.heap_info}. */
final class HeapInfo {
    // G1 has one such line, the serial collector one for each generation.
    private static final Pattern USED = Pattern.compile("\\bused (\\d+)K");
    private static final Pattern NOT_HEAP = Pattern.compile("^\\s*(Metaspace|class space).*$", Pattern.MULTILINE);
    private static final long BYTES_PER_KILOBYTE = 1024;

    private HeapInfo() {}

    static long usedBytes(String answer) {
        Matcher used = USED.matcher(NOT_HEAP.matcher(answer).replaceAll(""));
        long kilobytes = 0;
        while (used.find()) {
            kilobytes += Long.parseLong(used.group(1));
        }
        return kilobytes * BYTES_PER_KILOBYTE;
    }
}
