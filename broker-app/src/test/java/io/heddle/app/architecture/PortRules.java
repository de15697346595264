package io.heddle.app.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.heddle.core.Port;
import java.util.List;

/** Rules about ports, their contracts, and the contract tests of fakes and adapters. */
final class PortRules {
    private static final String TESTKIT = "io.heddle.core.testkit";

    private PortRules() {}

    /**
     * Every port has an abstract contract in core's testkit. The tests of its fake and of each adapter module extend it. The app is
     * exempt: its implementations of ports delegate to an adapter that has passed the contract.
     *
     * @param tests the modules' test classes
     */
    static ArchRule portsHaveContracts(JavaClasses tests) {
        return classes()
                .that()
                .areAnnotatedWith(Port.class)
                .should(new HaveContractsTheirAdaptersPass(tests))
                .because("core is tested against fakes, which must behave like Kafka, Redis, PostgreSQL and Netty")
                .allowEmptyShould(true);
    }

    private static final class HaveContractsTheirAdaptersPass extends ArchCondition<JavaClass> {
        private final JavaClasses tests;

        HaveContractsTheirAdaptersPass(JavaClasses tests) {
            super("have a contract that the tests of their fakes and adapters extend");
            this.tests = tests;
        }

        @Override
        public void check(JavaClass port, ConditionEvents events) {
            String contract = TESTKIT + "." + port.getSimpleName() + "Contract";
            if (!tests.contain(contract) || !tests.get(contract).getModifiers().contains(JavaModifier.ABSTRACT)) {
                events.add(SimpleConditionEvent.violated(
                        port, "the port " + port.getName() + " has no abstract test class " + contract));
                return;
            }
            List<JavaClass> held = tests.get(contract).getAllSubclasses().stream()
                    .filter(test -> !test.getModifiers().contains(JavaModifier.ABSTRACT))
                    .filter(test -> test.getSimpleName().endsWith("Test")
                            || test.getSimpleName().endsWith("IT"))
                    .toList();
            if (held.stream().noneMatch(test -> module(test).equals("core"))) {
                events.add(SimpleConditionEvent.violated(
                        port, "no *Test of core, where the fake of " + port.getName() + " is, extends " + contract));
            }
            for (JavaClass adapter : port.getAllSubclasses()) {
                if (!adapter.isInterface()
                        && !module(adapter).equals("core")
                        && !module(adapter).equals("app")
                        && held.stream().noneMatch(test -> module(test).equals(module(adapter)))) {
                    events.add(SimpleConditionEvent.violated(
                            adapter,
                            adapter.getName() + " is an adapter of " + port.getName()
                                    + ", but no *Test or *IT in io.heddle." + module(adapter) + " extends "
                                    + contract));
                }
            }
        }

        /** Returns the package name after io.heddle. */
        private static String module(JavaClass type) {
            String[] words = type.getPackageName().split("\\.", -1);
            return words.length < 3 ? "" : words[2];
        }
    }
}
