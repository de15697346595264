package io.heddle.app.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The file NOTICE: the software of other projects, each with the file of its licence and the files that contain the software. */
record Notice(List<Entry> entries) {
    private static final String TEXTS = "licenses";
    private static final Pattern SOFTWARE = Pattern.compile("(\\S.*): (LICENSE|" + TEXTS + "/\\S+)");
    private static final String FILES = "  ";

    /**
     * An entry.
     *
     * @param patterns names, or paths if they contain a slash, with wildcards
     */
    record Entry(String software, String text, List<String> patterns) {
        private static boolean isMatch(String pattern, BundledFile file) {
            Path path = pattern.contains("/") ? file.path() : file.path().getFileName();
            return path.getFileSystem().getPathMatcher("glob:" + pattern).matches(path);
        }

        private boolean names(BundledFile file) {
            return patterns.stream().anyMatch(pattern -> isMatch(pattern, file));
        }
    }

    static Notice read(Path file) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            Matcher software = SOFTWARE.matcher(line);
            if (software.matches()) {
                entries.add(new Entry(software.group(1), software.group(2), new ArrayList<>()));
            } else if (line.startsWith(FILES)) {
                entries.getLast().patterns().addAll(List.of(line.strip().split(",\\s*")));
            }
        }
        return new Notice(entries);
    }

    /** Compares the NOTICE, the texts and the files of a distribution. Returns a sentence for each difference. */
    static List<String> problems(Path distribution) throws IOException {
        Notice notice = read(distribution.resolve("NOTICE"));
        List<BundledFile> files = BundledFile.in(distribution);
        List<String> problems = new ArrayList<>();
        for (BundledFile file : files) {
            if (!file.hasLicence() && notice.entries.stream().noneMatch(entry -> entry.names(file))) {
                problems.add(file.place()
                        + " is in no entry of NOTICE: find the licences of everything in it, add their texts to"
                        + " packaging/licenses, and add entries to NOTICE");
            }
        }
        for (Entry entry : notice.entries) {
            for (String pattern : entry.patterns) {
                if (files.stream().noneMatch(file -> Entry.isMatch(pattern, file))) {
                    problems.add("NOTICE names " + pattern + ", which is not in the distribution: correct the entry of "
                            + entry.software + ", its version and its licence text");
                }
            }
            if (entry.patterns.isEmpty()) {
                problems.add(
                        "NOTICE names no files of " + entry.software + ": add a line with the files that contain it");
            }
        }
        problems.addAll(notice.problemsOfTexts(distribution));
        return problems;
    }

    private List<String> problemsOfTexts(Path distribution) throws IOException {
        List<String> problems = new ArrayList<>();
        TreeSet<String> unused = new TreeSet<>();
        try (Stream<Path> texts = Files.list(distribution.resolve(TEXTS))) {
            texts.forEach(text -> unused.add(TEXTS + "/" + text.getFileName()));
        }
        for (Entry entry : entries) {
            Path text = distribution.resolve(entry.text);
            if (!Files.exists(text) || Files.size(text) == 0) {
                problems.add(entry.text + " is missing: add the licence text of " + entry.software
                        + " to packaging/licenses");
            }
            unused.remove(entry.text);
        }
        for (String text : unused) {
            problems.add(text + " is in no entry of NOTICE: add an entry, or remove the text from packaging/licenses");
        }
        return problems;
    }
}
