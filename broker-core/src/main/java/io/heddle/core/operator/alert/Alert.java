package io.heddle.core.operator.alert;

import java.time.Duration;

/**
 * An alert that fires at a node.
 *
 * @param name that of the rule, such as {@code HeddleBucketsLag}
 * @param age since its condition holds
 * @param summary what is wrong, with the value; a sentence
 * @param remedy what to do, in a sentence or two
 * @param page the address of a page of the console about it, without the host
 */
public record Alert(String name, Severity severity, Duration age, String summary, String remedy, String page) {
    /** The urgency. */
    public enum Severity {
        /** Clients are affected now. */
        CRITICAL,
        WARNING
    }
}
