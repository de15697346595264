package io.heddle.core.authorization;

/** The decision of a rule, or of a rule set for requests that no rule matches. */
public enum Effect {
    ALLOW,
    DENY
}
