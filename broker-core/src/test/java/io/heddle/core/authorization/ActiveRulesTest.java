package io.heddle.core.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ActiveRulesTest {
    private static final RuleSet DENY = new RuleSet(List.of(), RuleOptions.of(Effect.DENY));
    private static final RuleSet ALLOW = new RuleSet(List.of(), RuleOptions.of(Effect.ALLOW));

    private final ActiveRules rules = new ActiveRules(RuleSet.NONE);

    @Test
    void aLowerVersionChangesNothing() {
        rules.apply(7, DENY);
        rules.apply(6, ALLOW);
        rules.apply(7, ALLOW);

        assertThat(rules.current()).isSameAs(DENY);
        assertThat(rules.version()).isEqualTo(7);
    }

    @Test
    void aVersionIsAppliedWhenAllStepsAreDone() {
        CompletableFuture<Void> step = new CompletableFuture<>();
        rules.onChange(() -> step);
        CompletionStage<Void> later = rules.whenApplied(2);
        CompletionStage<Void> evenLater = rules.whenApplied(4);

        rules.apply(3, DENY);
        assertThat(later).isNotDone();
        assertThat(rules.whenApplied(3)).isNotDone();

        step.complete(null);
        assertThat(later).isCompleted();
        assertThat(rules.whenApplied(3)).isCompleted();
        assertThat(evenLater).isNotDone();
    }
}
