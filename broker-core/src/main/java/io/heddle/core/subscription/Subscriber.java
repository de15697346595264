package io.heddle.core.subscription;

/** The target of a filter's subscription. Sealed: routing handles each kind. Equal instances are the same subscriber. */
public sealed interface Subscriber permits SessionSubscriber, SharedGroup, RemoteNode {}
