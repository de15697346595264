package io.heddle.app.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.all;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.AbstractClassesTransformer;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Limits the cycles of dependencies between classes. A cycle is a strongly connected component of the graph of top-level classes; the
 * dependencies of a nested class count as those of its top-level class. The {@code permits} of a sealed type does not count.
 */
final class ClassCycles extends ArchCondition<List<String>> {
    private static final int MAXIMUM_CLASSES = 5;

    /** Larger cycles, by one of their classes, with the reason. All classes of such a cycle are in the package of that class. */
    private static final Map<String, String> ALLOWED = Map.of(
            "io.heddle.standalone.PostgresProcess",
            "a data directory names the folder of PostgreSQL, and the guard of every server process names the data directory");

    static final ArchRule CLASS_CYCLES_ARE_SMALL = all(new Cycles())
            .should(new ClassCycles())
            .because(
                    "classes in a cycle can only be understood, tested and changed together. Declare an interface where the"
                            + " lower class needs the higher one, or move the shared part into a third class")
            .allowEmptyShould(true);

    private ClassCycles() {
        super("have at most %d classes", MAXIMUM_CLASSES);
    }

    @Override
    public void check(List<String> cycle, ConditionEvents events) {
        if (cycle.size() > MAXIMUM_CLASSES && cycle.stream().noneMatch(type -> isAllowed(type, cycle))) {
            events.add(SimpleConditionEvent.violated(
                    cycle, "a cycle of " + cycle.size() + " classes: " + String.join(", ", cycle)));
        }
    }

    private static boolean isAllowed(String type, List<String> cycle) {
        return ALLOWED.containsKey(type)
                && cycle.stream().allMatch(other -> packageName(other).equals(packageName(type)));
    }

    private static String packageName(String type) {
        return type.substring(0, type.lastIndexOf('.'));
    }

    /** The strongly connected components of more than one class, by Tarjan's algorithm without recursion. */
    private static final class Cycles extends AbstractClassesTransformer<List<String>> {
        Cycles() {
            super("cycles of classes");
        }

        @Override
        public Iterable<List<String>> doTransform(JavaClasses classes) {
            return new Search(graph(classes)).cycles;
        }

        private static Map<String, Set<String>> graph(JavaClasses classes) {
            Map<String, Set<String>> graph = new TreeMap<>();
            for (JavaClass type : classes) {
                String from = topLevel(type);
                Set<String> targets = graph.computeIfAbsent(from, _ -> new TreeSet<>());
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    String to = topLevel(dependency.getTargetClass().getBaseComponentType());
                    if (to.startsWith("io.heddle.") && !to.equals(from)) {
                        targets.add(to);
                    }
                }
            }
            return graph;
        }

        private static String topLevel(JavaClass type) {
            int nested = type.getName().indexOf('$');
            return nested < 0 ? type.getName() : type.getName().substring(0, nested);
        }
    }

    private static final class Search {
        private final Map<String, Set<String>> graph;
        private final Map<String, Integer> index = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final ArrayDeque<String> open = new ArrayDeque<>();
        final List<List<String>> cycles = new ArrayList<>();

        Search(Map<String, Set<String>> graph) {
            this.graph = graph;
            for (String type : graph.keySet()) {
                if (!index.containsKey(type)) {
                    visit(type);
                }
            }
        }

        private void visit(String start) {
            ArrayDeque<String> path = new ArrayDeque<>();
            ArrayDeque<Iterator<String>> left = new ArrayDeque<>();
            enter(start, path, left);
            while (!path.isEmpty()) {
                String type = path.element();
                if (left.element().hasNext()) {
                    String target = left.element().next();
                    if (!index.containsKey(target)) {
                        enter(target, path, left);
                    } else if (open.contains(target)) {
                        lowest.merge(type, number(index, target), Math::min);
                    }
                } else {
                    path.pop();
                    left.pop();
                    if (!path.isEmpty()) {
                        lowest.merge(path.element(), number(lowest, type), Math::min);
                    }
                    close(type);
                }
            }
        }

        private void enter(String type, ArrayDeque<String> path, ArrayDeque<Iterator<String>> left) {
            index.put(type, index.size());
            lowest.put(type, number(index, type));
            open.push(type);
            path.push(type);
            left.push(graph.getOrDefault(type, Set.of()).iterator());
        }

        private static int number(Map<String, Integer> numbers, String type) {
            return Objects.requireNonNull(numbers.get(type));
        }

        private void close(String type) {
            if (number(lowest, type) != number(index, type)) {
                return;
            }
            List<String> component = new ArrayList<>();
            String member;
            do {
                member = open.pop();
                component.add(member);
            } while (!member.equals(type));
            if (component.size() > 1) {
                Collections.sort(component);
                cycles.add(component);
            }
        }
    }
}
