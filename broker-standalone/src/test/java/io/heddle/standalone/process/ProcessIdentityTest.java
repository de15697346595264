package io.heddle.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
    @Test
    void identityOfARunningProcessIsParsedFromItsText() {
        ProcessIdentity self = self();

        assertThat(ProcessIdentity.parse(String.valueOf(self))).isEqualTo(self);
        assertThat(self.isAlive()).isTrue();
    }

    @Test
    void samePidWithAnotherStartOrBootIsAnotherProcess() {
        ProcessIdentity self = self();

        assertThat(new ProcessIdentity(self.pid(), self.startTicks() + 1, self.boot()).isAlive())
                .isFalse();
        assertThat(new ProcessIdentity(self.pid(), self.startTicks(), "another boot").isAlive())
                .isFalse();
    }

    private static ProcessIdentity self() {
        return Objects.requireNonNull(ProcessIdentity.of(ProcessHandle.current().pid()));
    }

    @Test
    void invalidTextIsNoIdentity() {
        assertThat(ProcessIdentity.parse(null)).isNull();
        assertThat(ProcessIdentity.parse("")).isNull();
        assertThat(ProcessIdentity.parse("12 x y")).isNull();
    }
}
