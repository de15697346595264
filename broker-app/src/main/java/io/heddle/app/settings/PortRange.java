package io.heddle.app.settings;

import io.heddle.core.lifecycle.StartupException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ports of which the first free one is used.
 *
 * @param first of the range; 0 for any free port
 * @param last not below the first
 */
public record PortRange(int first, int last) {
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,5})(?:-([0-9]{1,5}))?");
    private static final int LAST_PORT = 65_535;

    /** Reads a port, or two with a dash between them. Throws StartupException if the text is neither. */
    static PortRange of(String setting, String text) {
        Matcher parts = TEXT.matcher(text);
        if (parts.matches()) {
            int first = Integer.parseInt(parts.group(1));
            int last = parts.group(2) == null ? first : Integer.parseInt(parts.group(2));
            if (first <= last && last <= LAST_PORT && (first > 0 || last == 0)) {
                return new PortRange(first, last);
            }
        }
        throw new StartupException(
                setting + " is " + text
                        + ": set it to a port from 1 to 65535, to a range such as 7883-7898, or to 0 for"
                        + " any free port",
                null);
    }
}
