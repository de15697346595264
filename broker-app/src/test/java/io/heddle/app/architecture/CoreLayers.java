package io.heddle.app.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;

/**
 * The order of core's packages: each may use those before it and the root package; the root package uses none. A package that is not
 * in the list fails the rule, so a new package needs an explicit place.
 */
final class CoreLayers extends ArchCondition<JavaClass> {
    private static final String CORE = "io.heddle.core";
    private static final int ROOT = -1;
    private static final int NOWHERE = Integer.MAX_VALUE;

    /** From the bottom up. A package belongs to the layer of its parent, unless a sibling has a layer of its own. */
    static final List<String> LAYERS = List.of(
            "mqtt",
            "client",
            "watchdog",
            "backpressure",
            "message",
            "changelog",
            "cluster",
            "link",
            "quota",
            "authentication",
            "administration",
            "authorization",
            "subscription",
            "retained",
            "routing",
            "sys",
            "delivery",
            "publish",
            "session.outbound",
            "session.persistent",
            "session.queue",
            "session.registrar",
            "session.subscribe",
            "session.inbound",
            "session",
            "node",
            "operator",
            "lifecycle");

    static final ArchRule CORE_IS_LAYERED = classes()
            .that()
            .resideInAPackage(CORE + "..")
            .should(new CoreLayers())
            .because("a reader who knows the lower layers can understand the next one, and a change in a lower layer"
                    + " needs none above it. For an upward dependency, declare the interface in the lower package"
                    + " and implement it in the higher one")
            .allowEmptyShould(true);

    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES = slices().matching("io.heddle.(**)")
            .should()
            .beFreeOfCycles()
            .because("packages in a cycle cannot be understood one by one")
            .allowEmptyShould(true);

    private CoreLayers() {
        super("only use the layers below their own: " + String.join(" < ", LAYERS));
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        int own = height(type);
        if (own == NOWHERE) {
            events.add(SimpleConditionEvent.violated(
                    type,
                    type.getName() + " is in " + type.getPackageName()
                            + ", which belongs to no layer: add the package to CoreLayers.LAYERS"));
            return;
        }
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            JavaClass target = dependency.getTargetClass().getBaseComponentType();
            if (isInCore(target) && height(target) > own) {
                events.add(
                        SimpleConditionEvent.violated(dependency, "upward dependency: " + dependency.getDescription()));
            }
        }
    }

    private static boolean isInCore(JavaClass type) {
        return type.getPackageName().equals(CORE) || type.getPackageName().startsWith(CORE + ".");
    }

    private static int height(JavaClass type) {
        String name = type.getPackageName();
        if (name.equals(CORE)) {
            return ROOT;
        }
        String below = name.substring(CORE.length() + 1);
        int layer = LAYERS.indexOf(below);
        for (int dot = below.lastIndexOf('.'); layer < 0 && dot > 0; dot = below.lastIndexOf('.', dot - 1)) {
            String parent = below.substring(0, dot);
            boolean hasLayers = LAYERS.stream().anyMatch(other -> other.startsWith(parent + "."));
            layer = hasLayers ? NOWHERE : LAYERS.indexOf(parent);
        }
        return layer < 0 ? NOWHERE : layer;
    }
}
