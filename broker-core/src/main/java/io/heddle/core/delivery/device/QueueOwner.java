package io.heddle.core.delivery.device;

import io.heddle.core.client.ClientId;

/**
 * The owner of a queue: one connection of a client's session.
 *
 * @param generation of the session
 * @param epoch of the connection
 */
public record QueueOwner(int bucket, ClientId clientId, long generation, long epoch) {}
