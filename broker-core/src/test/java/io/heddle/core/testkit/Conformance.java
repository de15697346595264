package io.heddle.core.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the normative statements that a test proves. A statement that the test merely passes by is not named.
 * {@code docs/conformance-statements.md} is generated from these annotations.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Conformance {
    /** Statements of MQTT 5.0, for example {@code MQTT-3.3.1-5}. */
    String[] value() default {};

    /** Statements of MQTT 3.1.1, whose identifiers number other statements. */
    String[] mqtt311() default {};
}
