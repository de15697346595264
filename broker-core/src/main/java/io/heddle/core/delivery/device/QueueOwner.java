package io.heddle.core.delivery.device;

import io.heddle.core.client.ClientId;

/**
 * The owner of a queue: one connection of a client's session.
 *
 * @param generation of the session
 * @param epoch of the connection
 * @param viewId of the bucket when the connection was registered, which its sequence numbers belong to
 */
public record QueueOwner(int bucket, ClientId clientId, long generation, long epoch, long viewId) {}
