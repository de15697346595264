package io.heddle.app.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The variables of the settings in docs/settings.md, and those of the launcher. */
final class DocumentedSettings {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(heddle\\.[^`]+)` \\|");
    private static final Pattern OF_THE_LAUNCHER = Pattern.compile("HEDDLE_JAVA_OPTS|HEDDLE_STANDALONE");
    private static final String FROM_FILE = "_FILE";

    private final List<Pattern> variables;

    private DocumentedSettings(List<Pattern> variables) {
        this.variables = variables;
    }

    static DocumentedSettings read() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "settings.md"));
        return new DocumentedSettings(
                ROW.matcher(page).results().map(row -> variable(row.group(1))).toList());
    }

    private static Pattern variable(String setting) {
        String name = setting.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_").replace("[]", "_\\d+");
        // A map, whose keys the user chooses.
        return Pattern.compile(setting.equals("heddle.kafka.properties") ? name + "_[A-Z_]+" : name);
    }

    /** Returns whether the launcher or the broker knows the variable, also if it names a file with the value. */
    boolean contains(String variable) {
        String setting =
                variable.endsWith(FROM_FILE) ? variable.substring(0, variable.length() - FROM_FILE.length()) : variable;
        return OF_THE_LAUNCHER.matcher(variable).matches()
                || variables.stream().anyMatch(each -> each.matcher(setting).matches());
    }

    int count() {
        return variables.size();
    }
}
