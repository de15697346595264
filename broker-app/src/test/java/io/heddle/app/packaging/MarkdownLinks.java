package io.heddle.app.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The links of Markdown pages to files, and to headings as GitHub names them. */
final class MarkdownLinks {
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*)$");
    private static final Pattern NOT_IN_ANCHORS = Pattern.compile("[^\\p{L}\\p{N} _-]");

    private MarkdownLinks() {}

    /** Returns the pages below a folder, without those of builds and of hidden folders. */
    static List<Path> pages(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> Stream.of(root.relativize(file).toString().split("/"))
                            .noneMatch(part ->
                                    part.startsWith(".") || part.equals("target") || part.equals("node_modules")))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the links of a page that lead to no file below the root or to no heading, each with the page's path. */
    static List<String> broken(Path root, Path page) throws IOException {
        List<String> broken = new ArrayList<>();
        Matcher links = LINK.matcher(withoutCode(page));
        while (links.find()) {
            String link = links.group(1);
            if (!ELSEWHERE.matcher(link).matches() && !leadsSomewhere(root, page, link)) {
                broken.add(root.relativize(page) + " links to " + link);
            }
        }
        return broken;
    }

    private static boolean leadsSomewhere(Path root, Path page, String link) throws IOException {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!target.startsWith(root) || !Files.exists(target)) {
            return false;
        }
        return hash < 0 || anchors(target).contains(link.substring(hash + 1));
    }

    private static List<String> anchors(Path page) throws IOException {
        return HEADING.matcher(withoutCode(page))
                .results()
                .map(heading -> NOT_IN_ANCHORS
                        .matcher(heading.group(1).replaceAll("]\\([^)]*\\)", "").toLowerCase(Locale.ROOT))
                        .replaceAll("")
                        .strip()
                        .replace(' ', '-'))
                .toList();
    }

    private static String withoutCode(Path page) throws IOException {
        return CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
    }
}
