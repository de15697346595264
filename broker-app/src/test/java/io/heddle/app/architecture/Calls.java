package io.heddle.app.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.function.Predicate;

/** Predicates for calls, including method references. Types are given by name, so that they need not be on the class path. */
final class Calls {
    private Calls() {}

    /** Matches calls of methods (or "&lt;init>") with one of these names, declared by a type or one of its subtypes. */
    static DescribedPredicate<JavaAccess<?>> to(String owner, String... names) {
        return DescribedPredicate.describe(
                owner + "." + String.join("/", names) + " is called",
                access -> access.getTargetOwner().isAssignableTo(owner)
                        && List.of(names).contains(access.getName()));
    }

    /** Matches calls whose parameter types fulfil a condition. */
    static DescribedPredicate<JavaAccess<?>> withParameters(String description, Predicate<List<JavaClass>> condition) {
        return DescribedPredicate.describe(
                description,
                access -> access.getTarget() instanceof CodeUnitAccessTarget target
                        && condition.test(target.getRawParameterTypes()));
    }
}
