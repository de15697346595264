package io.heddle.core.delivery.application;

import io.heddle.core.client.ClientId;

/**
 * Whose progress it is. Each connection writes under a key of its own, so that one that does not know yet that it is over can't undo
 * what the next has written; the highest epoch counts.
 *
 * @param generation of the session
 * @param epoch of the connection
 */
public record ProgressKey(ClientId clientId, long generation, long epoch) {}
