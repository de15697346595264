package io.heddle.core.authorization;

/** An action of a client that a rule decides about. */
public enum Action {
    PUBLISH,
    SUBSCRIBE
}
