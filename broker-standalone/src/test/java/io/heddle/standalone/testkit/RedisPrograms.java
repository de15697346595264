package io.heddle.standalone.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Redis and Valkey servers of this machine, for tests that must pass on each: those that {@value #NAMED} names (paths, separated as in
 * PATH), then redis-server and valkey-server on the PATH.
 */
public final class RedisPrograms {
    static final String NAMED = "HEDDLE_TEST_REDIS_SERVERS";

    private RedisPrograms() {}

    /** The executables without the bundled one; may be empty. */
    public static List<Path> found() {
        return found(System.getenv());
    }

    /** Throws IllegalStateException if a named program cannot be run. */
    static List<Path> found(Map<String, String> environment) {
        Set<Path> programs = new LinkedHashSet<>();
        for (String named : entries(environment.getOrDefault(NAMED, ""))) {
            Path program = Path.of(named);
            if (!Files.isExecutable(program)) {
                throw new IllegalStateException(NAMED + " names " + program + ", which is not there or can't be run");
            }
            programs.add(program.toAbsolutePath());
        }
        for (String name : List.of("redis-server", "valkey-server")) {
            entries(environment.getOrDefault("PATH", "")).stream()
                    .map(directory -> Path.of(directory).resolve(name).toAbsolutePath())
                    .filter(Files::isExecutable)
                    .findFirst()
                    .ifPresent(programs::add);
        }
        return List.copyOf(programs);
    }

    private static List<String> entries(String list) {
        return List.of(list.split(File.pathSeparator, -1)).stream()
                .filter(entry -> !entry.isEmpty())
                .toList();
    }
}
