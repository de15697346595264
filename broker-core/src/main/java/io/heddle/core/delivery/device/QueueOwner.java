package io.heddle.core.delivery.device;

import io.heddle.core.client.ClientId;

/**
 * Whose queue it is, for as long as one connection lasts.
 *
 * @param generation of the session
 * @param epoch of the connection
 */
public record QueueOwner(int bucket, ClientId clientId, long generation, long epoch) {}
