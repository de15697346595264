package io.heddle.core.authorization;

/** The decision of the rules about a subscription. */
public enum SubscriptionDecision {
    ALLOWED,
    /** It is granted, and each message is checked before it is delivered. */
    FILTERED,
    DENIED
}
