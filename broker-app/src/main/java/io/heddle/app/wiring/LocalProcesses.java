package io.heddle.app.wiring;

import io.heddle.core.cluster.NodeDescription.ProcessEvidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which processes of this machine have ended, from {@code /proc} of Linux. Thread-safe.
 *
 * <p>The name of a process is {@code <boot id>/<user>/<PID namespace>/<PID>/<start>}, so no two processes have the same. This process sees
 * only those of the same boot and namespace. Of other users it may see none, if {@code /proc} is mounted with {@code hidepid}. All others
 * are unknown. A frozen process has not ended.
 */
final class LocalProcesses implements ProcessEvidence {
    private static final Logger log = LoggerFactory.getLogger(LocalProcesses.class);
    private static final String STAT = "stat";
    // Counted from the state, which is the first field after the command in parentheses (man proc_pid_stat).
    private static final int START = 19;
    private static final String ZOMBIE = "Z";

    private final Path proc;
    private final String self;
    /** The part of the name that all processes have which this one sees. */
    private final String visible;

    private LocalProcesses(Path proc, String visible, String self) {
        this.proc = proc;
        this.visible = visible;
        this.self = self;
    }

    static LocalProcesses ofThisMachine() {
        return of(Path.of("/proc"));
    }

    /** Reads the name of this process. On other systems it has none, and all processes are unknown. */
    static LocalProcesses of(Path proc) {
        try {
            Path own = proc.resolve("self").toRealPath();
            String visible = Files.readString(proc.resolve("sys/kernel/random/boot_id"))
                            .strip()
                    + "/" + Files.getAttribute(own, "unix:uid")
                    + "/"
                    + Files.readSymbolicLink(own.resolve("ns/pid")).toString().replaceAll("[^0-9]", "")
                    + "/";
            return new LocalProcesses(
                    proc, visible, visible + own.getFileName() + "/" + fields(own.resolve(STAT))[START]);
        } catch (IOException | UnsupportedOperationException e) {
            log.debug("This system does not name its processes", e);
            return new LocalProcesses(proc, "", "");
        }
    }

    /** Returns the name of this process, or an empty one. */
    String self() {
        return self;
    }

    @Override
    public boolean hasEnded(String process) {
        if (visible.isEmpty() || !process.startsWith(visible)) {
            return false;
        }
        String[] pidAndStart = process.substring(visible.length()).split("/", -1);
        if (pidAndStart.length != 2 || !pidAndStart[0].matches("[0-9]+")) {
            return false;
        }
        Path directory = proc.resolve(pidAndStart[0]);
        try {
            String[] fields = fields(directory.resolve(STAT));
            return !fields[START].equals(pidAndStart[1]) || (fields[0].equals(ZOMBIE) && threads(directory) <= 1);
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            log.debug("Cannot read the state of a process; process={}", process, e);
            return false;
        }
    }

    /** A process is a zombie also while only its first thread has ended. */
    private static long threads(Path directory) throws IOException {
        try (Stream<Path> threads = Files.list(directory.resolve("task"))) {
            return threads.count();
        }
    }

    private static String[] fields(Path stat) throws IOException {
        String line = Files.readString(stat);
        String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1);
        if (fields.length <= START) {
            throw new IOException(stat + " has only " + fields.length + " fields");
        }
        return fields;
    }
}
