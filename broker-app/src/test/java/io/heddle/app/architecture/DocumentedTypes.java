package io.heddle.app.architecture;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The type names that a document puts in backticks, and those that the sources have. */
final class DocumentedTypes {
    private static final Pattern FENCED = Pattern.compile("^ *```.*?^ *```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    // At least two humps, or one after a package. Not part of a path, of a pattern such as *Test or <Port>Contract, or
    // of an option
    // such as -XX:+UseSerialGC.
    private static final Pattern TYPE = Pattern.compile(
            "(?<![\\w*>$…{}/+-])((?:[a-z]\\w*\\.)*)([A-Z][a-z0-9]+(?:[A-Z]+[a-z0-9]*)*)(?![\\w*$…{}/-])");
    private static final Pattern DECLARATION = Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");

    private DocumentedTypes() {}

    /** Names in backticks that look like types, in alphabetical order. Fenced blocks are transcripts and are ignored. */
    static Set<String> mentioned(String markdown) {
        Set<String> names = new TreeSet<>();
        Matcher code = CODE.matcher(FENCED.matcher(markdown).replaceAll(""));
        while (code.find()) {
            Matcher type = TYPE.matcher(code.group(1));
            while (type.find()) {
                boolean qualified = !type.group(1).isEmpty();
                boolean humped =
                        type.group(2).chars().filter(Character::isUpperCase).count() > 1;
                if (qualified || humped) {
                    names.add(type.group(2));
                }
            }
        }
        return names;
    }

    /** The types that the project's sources declare, nested ones included, by their simple names. */
    static Set<String> declared(Project project) {
        Set<String> names = new TreeSet<>();
        project.allSources().forEach(source -> {
            Matcher declaration = DECLARATION.matcher(Project.read(source));
            while (declaration.find()) {
                names.add(declaration.group(1));
            }
        });
        return names;
    }
}
