package io.heddle.app.launcher;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An integration test that starts brokers as processes, and why a broker in the JVM of the tests would not do. A broker process costs
 * seconds of processor time, so most of these tests also have the tag {@code ci}: {@code .ci/run} runs them, {@code ./mvnw verify}
 * does not.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OwnProcesses {
    /** Returns what only a process can show. */
    String because();
}
