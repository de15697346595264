package io.heddle.app.architecture;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Renders docs/conformance-statements.md: the tests of each statement, and the statements without a test. */
final class ConformancePage {
    private static final String HEADER = """
            # Statements of the standard and their tests

            Generated from the `@Conformance` annotations of the tests. Do not edit; rewrite it with
            `./mvnw -pl broker-app -am test -Dtest=ConformancePageTest -Dheddle.docs.write=true -Dsurefire.failIfNoSpecifiedTests=false`.

            A test names the statements that its assertions prove. A statement without a test is not necessarily violated: no test names it,
            or it concerns a feature that Heddle does not have. [conformance.md](conformance.md) has the choices that the standard leaves open.

            """;

    private final StringBuilder page = new StringBuilder(HEADER);

    private ConformancePage() {}

    static String of(ConformanceAnnotations annotations) {
        ConformancePage page = new ConformancePage();
        page.mqtt5(ConformanceStatement.mqtt5(), annotations.mqtt5());
        page.mqtt311(ConformanceStatement.mqtt311(), annotations.mqtt311());
        return page.page.toString();
    }

    private void mqtt5(List<ConformanceStatement> statements, Map<String, SortedSet<String>> tests) {
        List<ConformanceStatement> server =
                statements.stream().filter(ConformanceStatement::obligesServer).toList();
        List<ConformanceStatement> untested = server.stream()
                .filter(statement -> !tests.containsKey(statement.id()))
                .toList();
        page.append(
                "## MQTT 5.0\n\n%d of %d statements have a test; of the %d that say what a server MUST or MUST NOT do, %d.\n\n"
                        .formatted(tests.size(), statements.size(), server.size(), server.size() - untested.size()));
        page.append("| Statement | Level | Applies to | Tests |\n|---|---|---|---|\n");
        for (ConformanceStatement statement : statements) {
            if (tests.containsKey(statement.id())) {
                page.append("| %s | %s | %s | %s |\n"
                        .formatted(statement.id(), statement.level(), statement.appliesTo(), names(statement, tests)));
            }
        }
        page.append("\n### What a server MUST or MUST NOT do, without a test: %d\n\n".formatted(untested.size()));
        list(untested);
    }

    private void mqtt311(List<ConformanceStatement> statements, Map<String, SortedSet<String>> tests) {
        List<ConformanceStatement> untested = statements.stream()
                .filter(statement -> !tests.containsKey(statement.id()))
                .toList();
        page.append(
                "\n## MQTT 3.1.1\n\n%d of %d statements have a test.\n\n".formatted(tests.size(), statements.size()));
        page.append("| Statement | Tests |\n|---|---|\n");
        for (ConformanceStatement statement : statements) {
            if (tests.containsKey(statement.id())) {
                page.append("| %s | %s |\n".formatted(statement.id(), names(statement, tests)));
            }
        }
        page.append(
                "\n### Without a test, whether they oblige a server or a client: %d\n\n".formatted(untested.size()));
        list(untested);
    }

    private static String names(ConformanceStatement statement, Map<String, SortedSet<String>> tests) {
        return tests.getOrDefault(statement.id(), new TreeSet<>()).stream()
                .map(test -> "`" + test + "`")
                .collect(joining("<br>"));
    }

    private void list(List<ConformanceStatement> statements) {
        page.append("| Section | Statements |\n|---|---|\n");
        statements.stream()
                .collect(groupingBy(
                        ConformanceStatement::section,
                        LinkedHashMap::new,
                        mapping(ConformanceStatement::id, joining(", "))))
                .forEach((section, ids) -> page.append("| %s | %s |\n".formatted(section, ids)));
    }
}
