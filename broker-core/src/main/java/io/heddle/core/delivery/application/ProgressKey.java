package io.heddle.core.delivery.application;

import io.heddle.core.client.ClientId;

/**
 * The key of a progress record. Each connection writes under its own key, so that a connection that was taken over cannot overwrite the
 * progress of its successor; the record with the highest epoch counts.
 *
 * @param generation of the session
 * @param epoch of the connection
 */
public record ProgressKey(ClientId clientId, long generation, long epoch) {}
