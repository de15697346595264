package io.heddle.core.authorization;

import java.util.Set;
import java.util.TreeSet;

/**
 * The methods and listeners that lines with {@code authenticate} can name.
 *
 * @param methods the methods of authentication of a node
 * @param listeners the names of its listeners
 */
public record ListenerMethods(Set<String> methods, Set<String> listeners) {
    public ListenerMethods {
        methods = Set.copyOf(methods);
        listeners = Set.copyOf(listeners);
    }

    void requireMethod(String name, int column) throws RuleSyntaxException {
        if (!methods.contains(name)) {
            throw new RuleSyntaxException(
                    column,
                    "this node does not have the method '" + name + "': use " + listed(methods)
                            + ", or add it to heddle.authentication.methods");
        }
    }

    void requireListener(String name, int column) throws RuleSyntaxException {
        if (!listeners.contains(name)) {
            throw new RuleSyntaxException(
                    column, "this node has no listener with the name '" + name + "': use " + listed(listeners));
        }
    }

    private static String listed(Set<String> names) {
        return String.join(", ", new TreeSet<>(names));
    }
}
