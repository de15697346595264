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
    static final ArchRule PACKAGES_ARE_NULL_MARKED = all(new OwnPackages("io.heddle"))
            .should(new BeNullMarked())
            .because("only in marked packages does the compiler check for null")
            .allowEmptyShould(true);

    static final ArchRule SESSION_PACKAGES_ARE_SMALL = all(new OwnPackages("io.heddle.core.session"))
            .should(new HaveFewClasses())
            .because(
                    "a newcomer overlooks a package of this size. A larger one has two subjects: give each a layer of its own")
            .allowEmptyShould(true);

    private static final int MAXIMUM_CLASSES = 25;

    private PackageRules() {}

    private static final class OwnPackages extends AbstractClassesTransformer<JavaPackage> {
        private final String root;

        OwnPackages(String root) {
            super("packages of " + root + " with classes");
            this.root = root;
        }

        @Override
        public Iterable<JavaPackage> doTransform(JavaClasses classes) {
            Set<JavaPackage> packages = new LinkedHashSet<>();
            for (JavaClass type : classes) {
                if (type.getPackageName().startsWith(root)) {
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

    private static final class HaveFewClasses extends ArchCondition<JavaPackage> {
        HaveFewClasses() {
            super("have at most %d classes", MAXIMUM_CLASSES);
        }

        @Override
        public void check(JavaPackage item, ConditionEvents events) {
            long count = item.getClasses().stream()
                    .filter(JavaClass::isTopLevelClass)
                    .filter(type -> !type.isArray())
                    .filter(type -> !type.getSimpleName().equals("package-info"))
                    .count();
            if (count > MAXIMUM_CLASSES) {
                events.add(SimpleConditionEvent.violated(
                        item, item.getName() + " has " + count + " classes, more than " + MAXIMUM_CLASSES));
            }
        }
    }
}
