package io.heddle.persistence;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.lifecycle.StartupException;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Reads the message of a start that must fail. */
public final class Startup {
    private Startup() {}

    /** Returns the message of a start that must fail, and requires one line that is long enough to say what to do. */
    public static AbstractStringAssert<?> sentenceOf(ThrowingCallable call) {
        StartupException refused = assertThatExceptionOfType(StartupException.class)
                .isThrownBy(call)
                .actual();
        return Assertions.assertThat(refused.getMessage())
                .hasSizeGreaterThan(30)
                .doesNotContain("\n");
    }
}
