package io.heddle.app.architecture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code @Conformance} annotations of all modules' tests, read from the sources: no module sees the test classes of all others.
 *
 * @param mqtt5 the tests of each statement of MQTT 5.0, as {@code Class.method}
 * @param mqtt311 the tests of each statement of MQTT 3.1.1
 */
record ConformanceAnnotations(Map<String, SortedSet<String>> mqtt5, Map<String, SortedSet<String>> mqtt311) {
    private static final Pattern START = Pattern.compile("^ +@Conformance\\b", Pattern.MULTILINE);
    private static final Pattern ANNOTATED = Pattern.compile(
            "^ +@Conformance\\(([^()]*)\\)(?:(?!@Conformance|;).)*?\\bvoid (\\w+)\\(",
            Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern MQTT311 = Pattern.compile("\\bmqtt311 = (\\{[^{}]*}|\"[^\"]*\")");
    private static final Pattern ID = Pattern.compile("\"([^\"]*)\"");

    /**
     * Reads the sources of all modules.
     *
     * @throws IllegalStateException if an annotation has another form than the formatter gives it
     */
    static ConformanceAnnotations of(Project project) {
        ConformanceAnnotations annotations = new ConformanceAnnotations(new TreeMap<>(), new TreeMap<>());
        project.allSources().forEach(annotations::read);
        return annotations;
    }

    private void read(Path source) {
        String text = Project.read(source);
        String type = Project.name(source).replace(".java", "");
        Matcher annotated = ANNOTATED.matcher(text);
        int found = 0;
        while (annotated.find()) {
            found++;
            String test = type + "." + annotated.group(2);
            Matcher older = MQTT311.matcher(annotated.group(1));
            if (older.find()) {
                add(mqtt311, older.group(1), test);
            }
            add(mqtt5, older.replaceAll(""), test);
        }
        if (found != START.matcher(text).results().count()) {
            throw new IllegalStateException(source + " has a @Conformance that cannot be read: put it on a test method,"
                    + " with string literals as values, and run ./mvnw spotless:apply");
        }
    }

    private static void add(Map<String, SortedSet<String>> tests, String ids, String test) {
        Matcher id = ID.matcher(ids);
        while (id.find()) {
            tests.computeIfAbsent(id.group(1), _ -> new TreeSet<>()).add(test);
        }
    }

    /** Identifiers of tests that are not among the statements, each with its tests. */
    static List<String> unknown(Map<String, SortedSet<String>> tests, List<ConformanceStatement> statements) {
        List<String> unknown = new ArrayList<>();
        tests.forEach((id, names) -> {
            if (statements.stream().noneMatch(statement -> statement.id().equals(id))) {
                unknown.add(id + " of " + String.join(", ", names));
            }
        });
        return unknown;
    }
}
