package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.session.persistent.ClientChange;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each format and kind of record in the code has a golden file of its version, and docs/data.md names the versions. */
class GoldenFilesTest {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final List<String> PACKAGES =
            List.of("io.heddle.persistence.record", "io.heddle.persistence.backup");
    private static final Path FILES = Path.of("src", "test", "resources", "golden");
    private static final Path PAGE = Path.of("..", "docs", "data.md");
    private static final Pattern FILE = Pattern.compile("(.*)-v(\\d+)\\.hex");
    private static final Pattern DOCUMENTED = Pattern.compile("`(\\w+Format)`, version (\\d+)");

    /** Prefix of the golden files of a format. The interface of formats has no files. */
    private static final Map<String, String> BEGINNINGS = Map.ofEntries(
            Map.entry("ApplicationRecordFormat", "application-header"),
            Map.entry("BackupFormat", "backup"),
            Map.entry("BucketCommandFormat", "bucket-enqueue"),
            Map.entry("ClientFormat", "session-key"),
            Map.entry("ConditionFormat", "condition-"),
            Map.entry("DeadLetterFormat", "dead-letter"),
            Map.entry("MessageFormat", "message-"),
            Map.entry("NodeRecordFormat", "node-"),
            Map.entry("ProgressFormat", "progress"),
            Map.entry("QueueEntryFormat", "redis-queue-entry"),
            Map.entry("RetainedFormat", "retained-key"),
            Map.entry("RouteFormat", "route"),
            Map.entry("SessionFormat", "session"));

    private static final List<Kinds> KINDS = List.of(
            new Kinds(BucketCommand.class, "bucket-", 3),
            new Kinds(NodeRecord.class, "node-", 3),
            new Kinds(ChangeCondition.class, "condition-", 1),
            new Kinds(ClientChange.class, "", 1));

    /** The records of a sealed set that are stored under a name that follows from their class. */
    private record Kinds(Class<?> sealed, String beginning, int version) {
        Stream<String> files() {
            return leaves(sealed)
                    .filter(kind -> kind != ChangeCondition.Always.class)
                    .map(kind -> beginning + kebab(kind.getSimpleName()) + "-v" + version + ".hex");
        }

        private static Stream<Class<?>> leaves(Class<?> type) {
            return type.isSealed()
                    ? Arrays.stream(type.getPermittedSubclasses()).flatMap(Kinds::leaves)
                    : Stream.of(type);
        }

        private static String kebab(String name) {
            return name.replaceFirst("^Of", "")
                    .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
                    .toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the version of each format. */
    private static Map<String, Integer> formats() throws Exception {
        Map<String, Integer> versions = new TreeMap<>();
        for (String name : PACKAGES) {
            try (Stream<Path> files = Files.list(SOURCES.resolve(name.replace('.', '/')))) {
                for (Path file : files.toList()) {
                    String format = file.getFileName().toString().replaceFirst("\\.java$", "");
                    if (format.endsWith("Format") && !format.equals("ChangeFormat")) {
                        Field version = Class.forName(name + "." + format).getDeclaredField("VERSION");
                        version.setAccessible(true);
                        versions.put(format, version.getInt(null));
                    }
                }
            }
        }
        return versions;
    }

    private static Set<String> goldenFiles() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            Set<String> names = new TreeSet<>();
            files.forEach(file -> names.add(file.getFileName().toString()));
            return names;
        }
    }

    @Test
    void eachFormatHasAGoldenFile() throws Exception {
        Map<String, Integer> formats = formats();
        assertThat(BEGINNINGS).containsOnlyKeys(formats.keySet());
        Set<String> files = goldenFiles();
        for (Map.Entry<String, String> format : BEGINNINGS.entrySet()) {
            assertThat(files).as(format.getKey()).anyMatch(file -> {
                Matcher name = FILE.matcher(file);
                return name.matches()
                        && file.startsWith(format.getValue())
                        && Integer.valueOf(name.group(2)).equals(formats.get(format.getKey()));
            });
        }
    }

    @Test
    void eachKindOfRecordHasAGoldenFile() throws Exception {
        Set<String> files = goldenFiles();
        for (Kinds kinds : KINDS) {
            assertThat(files)
                    .as("golden files of %s", kinds.sealed())
                    .containsAll(kinds.files().toList());
        }
    }

    @Test
    void thePageNamesTheVersionOfEachFormat() throws Exception {
        Map<String, Integer> documented = new TreeMap<>();
        Matcher matcher = DOCUMENTED.matcher(Files.readString(PAGE));
        while (matcher.find()) {
            documented.put(matcher.group(1), Integer.valueOf(matcher.group(2)));
        }
        assertThat(documented).isEqualTo(formats());
    }
}
