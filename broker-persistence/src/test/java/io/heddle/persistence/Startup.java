package io.heddle.persistence;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.lifecycle.StartupException;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a start that fails says to the person who set it up. */
public final class Startup {
    private Startup() {}

    /** The sentence of a call that must refuse to start. One line, and long enough to say what to do. */
    public static AbstractStringAssert<?> sentenceOf(ThrowingCallable call) {
        StartupException refused = assertThatExceptionOfType(StartupException.class)
                .isThrownBy(call)
                .actual();
        return Assertions.assertThat(refused.getMessage())
                .hasSizeGreaterThan(30)
                .doesNotContain("\n");
    }
}
