package io.heddle.app.nodes;

import io.heddle.core.lifecycle.StartupException;
import java.util.ArrayList;
import java.util.List;

/**
 * The option {@code --nodes} of the command line.
 *
 * @param count the number of nodes
 * @param others the other arguments, in their order
 */
public record NodesOption(int count, List<String> others) {
    private static final String NAME = "--nodes";
    private static final int MINIMUM = 2;
    private static final int MAXIMUM = 8;

    public static boolean isGiven(List<String> arguments) {
        return arguments.stream().anyMatch(NodesOption::isOption);
    }

    private static boolean isOption(String argument) {
        return argument.equals(NAME) || argument.startsWith(NAME + "=");
    }

    /** Reads the option. Throws StartupException if it has no usable value or is given more than once. */
    public static NodesOption of(List<String> arguments) {
        List<String> others = new ArrayList<>();
        int count = 0;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!isOption(argument)) {
                others.add(argument);
                continue;
            }
            if (count > 0) {
                throw new StartupException("The option " + NAME + " is given twice: leave one of them out", null);
            }
            boolean isNext = argument.equals(NAME);
            count = count(
                    isNext
                            ? (i + 1 < arguments.size() ? arguments.get(i + 1) : "")
                            : argument.substring(NAME.length() + 1));
            i += isNext ? 1 : 0;
        }
        return new NodesOption(count, others);
    }

    private static int count(String text) {
        int count = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
        if (count < MINIMUM || count > MAXIMUM) {
            throw new StartupException(
                    "The option " + NAME + " needs a number of nodes from " + MINIMUM + " to " + MAXIMUM + ", not '"
                            + text.replaceAll("\\p{Cntrl}", "?") + "': write for example " + NAME
                            + " 3, or leave it out to start one node",
                    null);
        }
        return count;
    }
}
