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
 * The order of core's packages: each may use earlier packages and the root package; the root package uses none. A package that is not
 * in the list fails the rule, so a new package needs a place in the order.
 */
final class Staircase extends ArchCondition<JavaClass> {
    private static final String CORE = "io.heddle.core";
    private static final int ROOT = -1;
    private static final int NOWHERE = Integer.MAX_VALUE;

    /** From the bottom up. Sub-packages share the place of their parent. */
    static final List<String> STEPS = List.of(
            "mqtt",
            "client",
            "backpressure",
            "message",
            "cluster",
            "quota",
            "authentication",
            "administration",
            "authorization",
            "subscription",
            "retained",
            "routing",
            "delivery",
            "publish",
            "session",
            "lifecycle");

    static final ArchRule CORE_IS_A_STAIRCASE = classes()
            .that()
            .resideInAPackage(CORE + "..")
            .should(new Staircase())
            .because(
                    "a reader who knows the lower steps can understand the next one, and no change below waits for one above."
                            + " For an upward arrow declare the interface below and implement it above")
            .allowEmptyShould(true);

    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES = slices().matching("io.heddle.(**)")
            .should()
            .beFreeOfCycles()
            .because("packages in a cycle are one package that is hard to read")
            .allowEmptyShould(true);

    private Staircase() {
        super("only use the steps of the staircase before their own: " + String.join(" < ", STEPS));
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        int own = height(type);
        if (own == NOWHERE) {
            events.add(
                    SimpleConditionEvent.violated(
                            type,
                            type.getName() + " stands in " + type.getPackageName()
                                    + ", which has no place on the staircase: add the package to Staircase.STEPS, where it belongs"));
            return;
        }
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            JavaClass target = dependency.getTargetClass().getBaseComponentType();
            if (isInCore(target) && height(target) > own) {
                events.add(SimpleConditionEvent.violated(dependency, "upwards: " + dependency.getDescription()));
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
        int dot = below.indexOf('.');
        int step = STEPS.indexOf(dot < 0 ? below : below.substring(0, dot));
        return step < 0 ? NOWHERE : step;
    }
}
