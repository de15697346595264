package io.heddle.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;

/** Assertions about a rule and a {@link Fixture}. */
final class Breach {
    private Breach() {}

    /** Asserts that the rule fails with the culprit and its reason. */
    static void assertBroken(ArchRule rule, String culprit, JavaClasses classes) {
        assertThat(rule.getDescription()).contains(", because ");
        assertThatThrownBy(() -> rule.check(classes))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(culprit)
                .hasMessageContaining(", because ");
    }

    /** Asserts that the rule accepts the classes. */
    static void assertKept(ArchRule rule, JavaClasses classes) {
        assertThat(classes).isNotEmpty();
        rule.check(classes);
    }
}
