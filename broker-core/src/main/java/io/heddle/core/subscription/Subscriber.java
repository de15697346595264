package io.heddle.core.subscription;

/** What a filter's subscription leads to. Sealed: routing has a way for each kind. Two that are equal are one subscriber. */
public sealed interface Subscriber permits SessionSubscriber, SharedGroup {}
