package io.heddle.app.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.all;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.lang.AbstractClassesTransformer;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/** Requirements of every package. */
final class PackageRules {
    static final ArchRule PACKAGES_ARE_NULL_MARKED = all(new OwnPackages())
            .should(new BeNullMarked())
            .because("only in marked packages does the compiler prove that null does not come as a surprise")
            .allowEmptyShould(true);

    private PackageRules() {}

    private static final class OwnPackages extends AbstractClassesTransformer<JavaPackage> {
        OwnPackages() {
            super("packages with classes");
        }

        @Override
        public Iterable<JavaPackage> doTransform(JavaClasses classes) {
            Set<JavaPackage> packages = new LinkedHashSet<>();
            for (JavaClass type : classes) {
                if (type.getPackageName().startsWith("io.heddle")) {
                    packages.add(type.getPackage());
                }
            }
            return packages;
        }
    }

    private static final class BeNullMarked extends ArchCondition<JavaPackage> {
        BeNullMarked() {
            super("have a package-info.java with @NullMarked");
        }

        @Override
        public void check(JavaPackage item, ConditionEvents events) {
            boolean marked = item.tryGetPackageInfo()
                    .map(info -> info.isAnnotatedWith(NullMarked.class))
                    .orElse(false);
            if (!marked) {
                events.add(SimpleConditionEvent.violated(
                        item, item.getName() + " has no package-info.java with @NullMarked"));
            }
        }
    }
}
