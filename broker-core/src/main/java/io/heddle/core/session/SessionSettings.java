package io.heddle.core.session;

/**
 * The limits of a session.
 *
 * @param maximumPacketSize in bytes: the largest packet that clients may send; announced in CONNACK, enforced by the codec
 * @param maximumTopicLevels the deepest topic filter and will topic accepted
 * @param maximumSubscriptions how many subscriptions one session may have
 */
public record SessionSettings(int maximumPacketSize, int maximumTopicLevels, int maximumSubscriptions) {}
