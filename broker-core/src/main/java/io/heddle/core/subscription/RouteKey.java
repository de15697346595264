package io.heddle.core.subscription;

import io.heddle.core.client.ClientId;

/**
 * By what the cluster knows a subscription of a persistent session.
 *
 * @param topicFilter the text of the filter as it was sent, with the share prefix if any
 */
public record RouteKey(ClientId clientId, String topicFilter) {}
