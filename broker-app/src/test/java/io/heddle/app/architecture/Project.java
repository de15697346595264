package io.heddle.app.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The checked-out project, as the architecture tests read it.
 *
 * @param root the folder with the Maven wrapper
 */
record Project(Path root) {
    /** Returns the project that contains the working directory. */
    static Project here() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = Objects.requireNonNull(
                    folder.getParent(),
                    "no folder above the working directory has a mvnw: run the tests inside the project");
        }
        return new Project(folder);
    }

    /** Returns the modules of the broker, without measurements and load generators. */
    List<Path> brokerModules() {
        try (Stream<Path> folders = Files.list(root)) {
            return folders.filter(folder -> name(folder).startsWith("broker-"))
                    .filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the class directories of all modules with production sources. */
    List<Path> productionClasses() {
        return compiled("src/main/java", "target/classes");
    }

    /** Returns the class directories of all modules with tests. */
    List<Path> testClasses() {
        return compiled("src/test/java", "target/test-classes");
    }

    private List<Path> compiled(String sources, String classes) {
        return brokerModules().stream()
                .filter(module -> !javaFiles(module.resolve(sources)).isEmpty())
                .map(module -> compiled(module, classes))
                .toList();
    }

    private static Path compiled(Path module, String classes) {
        Path folder = module.resolve(classes);
        if (!Files.isDirectory(folder)) {
            throw new IllegalStateException(
                    folder + " does not exist: the architecture tests read every module's classes, build them all first"
                            + " (./mvnw test -pl broker-app -am)");
        }
        return folder;
    }

    /** Returns the production sources of all modules, including perf-tests. */
    List<Path> mainSources() {
        return sources("main");
    }

    /** Returns the production and test sources of all modules. */
    List<Path> allSources() {
        return Stream.concat(sources("main").stream(), sources("test").stream()).toList();
    }

    private List<Path> sources(String kind) {
        try (Stream<Path> folders = Files.list(root)) {
            return folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .sorted()
                    .flatMap(module ->
                            javaFiles(module.resolve("src").resolve(kind).resolve("java")).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the documents whose type names must exist: those at the root, in docs and in perf-tests. */
    List<Path> documents() {
        Stream<Path> single = Stream.of("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "perf-tests/README.md")
                .map(root::resolve);
        return Stream.concat(single, files(root.resolve("docs"), ".md").stream())
                .filter(Files::exists)
                .toList();
    }

    private static List<Path> javaFiles(Path folder) {
        return files(folder, ".java");
    }

    private static List<Path> files(Path folder, String ending) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> name(file).endsWith(ending)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the last part of a path. */
    static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
