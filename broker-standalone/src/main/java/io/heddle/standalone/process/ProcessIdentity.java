package io.heddle.standalone.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a process that is never reused, unlike its pid.
 *
 * @param pid the process id
 * @param startTicks the start time in kernel ticks since boot
 * @param boot the kernel's boot id
 */
public record ProcessIdentity(long pid, long startTicks, String boot) {
    private static final int STATE_FIELD = 0;
    private static final int START_FIELD = 19;

    /** The process with this pid; null if there is none or it is a zombie. */
    public static @Nullable ProcessIdentity of(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            // The second field is the program's name in parentheses, which can hold any character: count from its end.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            if (fields[STATE_FIELD].equals("Z") || fields[STATE_FIELD].equals("X")) {
                return null;
            }
            String boot =
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            return new ProcessIdentity(pid, Long.parseLong(fields[START_FIELD]), boot);
        } catch (IOException noSuchProcess) {
            return null;
        }
    }

    /** The reverse of {@link #toString}; null if the text is not an identity. */
    public static @Nullable ProcessIdentity parse(@Nullable String text) {
        if (text == null || !text.matches("\\d{1,18} \\d{1,18} \\S+")) {
            return null;
        }
        String[] parts = text.split(" ", -1);
        return new ProcessIdentity(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]);
    }

    public boolean isAlive() {
        return equals(of(pid));
    }

    @Override
    public String toString() {
        return pid + " " + startTicks + " " + boot;
    }
}
