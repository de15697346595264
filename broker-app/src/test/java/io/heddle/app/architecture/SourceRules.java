package io.heddle.app.architecture;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Rules about source text. Each method returns one sentence per violation. */
final class SourceRules {
    private static final int MAXIMUM_LINES = 400;
    private static final int SHORTEST_DESCRIPTION_LINES = 3;
    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern STARTS_PROCESSES = Pattern.compile(
            "\\b(BrokerProcess|KillableBroker|KillPoints|ServingNodes|ClusterUnderTest|Distribution)\\b(?!;|\\.statusOf)");
    private static final Pattern CONFLICT = Pattern.compile("^(<{7}|>{7}) ", Pattern.MULTILINE);

    private SourceRules() {}

    /** Finds files of more than 400 lines, which probably have two responsibilities. */
    static List<String> tooLong(Project project) {
        List<String> breaches = new ArrayList<>();
        for (Path source : project.mainSources()) {
            long lines = Project.read(source).lines().count();
            if (lines > MAXIMUM_LINES) {
                breaches.add(relative(project, source) + " has " + lines + " lines, more than " + MAXIMUM_LINES
                        + ": split it by the things that it owns");
            }
        }
        return breaches;
    }

    /** Finds packages whose package-info.java lacks purpose, entry class, owner thread, and content of other packages. */
    static List<String> packagesWithoutDescription(Project project) {
        TreeSet<Path> packages = new TreeSet<>();
        project.mainSources().forEach(source -> packages.add(source.resolveSibling("package-info.java")));
        List<String> breaches = new ArrayList<>();
        for (Path description : packages) {
            if (!Files.exists(description)) {
                breaches.add(relative(project, description) + " is missing: describe the purpose of the package");
            } else if (descriptionLines(Project.read(description)) < SHORTEST_DESCRIPTION_LINES) {
                breaches.add(relative(project, description)
                        + " says too little: purpose, entry class, owner thread, invariant, what is"
                        + " deliberately not here, in 4 to 12 lines of Javadoc");
            }
        }
        return breaches;
    }

    private static long descriptionLines(String text) {
        Matcher javadoc = JAVADOC.matcher(text);
        if (!javadoc.find()) {
            return 0;
        }
        return javadoc.group(1)
                .lines()
                .filter(line -> line.chars().anyMatch(Character::isLetter))
                .count();
    }

    /** Finds sources outside io/heddle/ and the module's name; such a class could evade the rules of its module. */
    static List<String> sourcesOutsideTheirModulesPackage(Project project) {
        List<String> breaches = new ArrayList<>();
        for (Path source : project.mainSources()) {
            Path path = project.root().relativize(source);
            String module = path.getName(0).toString();
            if (module.startsWith("broker-")) {
                Path own = Path.of(module, "src", "main", "java", "io", "heddle", module.substring("broker-".length()));
                if (!path.startsWith(own)) {
                    breaches.add(path + " is not below " + own);
                }
            }
        }
        return breaches;
    }

    /** Finds suppressed warnings on whole classes, or without a reason in a comment above or behind. */
    static List<String> unexplainedSuppressions(Project project) {
        List<String> breaches = new ArrayList<>();
        for (Path source : project.mainSources()) {
            List<String> lines = Project.read(source).lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                if (line.startsWith("@SuppressWarnings")) {
                    breaches.add(relative(project, source) + ":" + (i + 1) + " suppresses a warning for a whole class");
                } else if (line.strip().startsWith("@SuppressWarnings")
                        && !line.contains("//")
                        && !(i > 0 && isComment(lines.get(i - 1)))) {
                    breaches.add(relative(project, source) + ":" + (i + 1)
                            + " suppresses a warning without a comment that says why");
                }
            }
        }
        return breaches;
    }

    private static boolean isComment(String line) {
        return Stream.of("//", "*", "/*").anyMatch(line.strip()::startsWith);
    }

    /** Finds merge conflicts, which compile inside comments. */
    static List<String> mergeConflicts(Project project) {
        return project.allSources().stream()
                .filter(source -> CONFLICT.matcher(Project.read(source)).find())
                .map(source -> relative(project, source) + " has a merge conflict in it")
                .toList();
    }

    /** Finds integration tests that start brokers as processes, and do not say what only a process can show. */
    static List<String> unexplainedProcesses(Project project) {
        return project.allSources().stream()
                .filter(source -> source.getFileName().toString().endsWith("IT.java"))
                .filter(source -> STARTS_PROCESSES.matcher(Project.read(source)).find())
                .filter(source -> !Project.read(source).contains("@OwnProcesses(because = "))
                .map(source -> relative(project, source)
                        + " starts a broker as a process, which takes seconds: use BrokerUnderTest,"
                        + " or say in @OwnProcesses what only a process can show")
                .toList();
    }

    private static String relative(Project project, Path file) {
        return project.root().relativize(file).toString();
    }
}
