package io.heddle.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;

/** What the tests say about a rule and a {@link Fixture}. */
final class Breach {
    private Breach() {}

    /** The rule fails, names the culprit and says its reason. */
    static void assertBroken(ArchRule rule, String culprit, JavaClasses classes) {
        assertThat(rule.getDescription()).contains(", because ");
        assertThatThrownBy(() -> rule.check(classes))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(culprit)
                .hasMessageContaining(", because ");
    }

    /** The rule lets the classes pass. */
    static void assertKept(ArchRule rule, JavaClasses classes) {
        assertThat(classes).isNotEmpty();
        rule.check(classes);
    }
}
