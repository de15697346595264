package io.heddle.core.client;

import org.jspecify.annotations.Nullable;

/**
 * Who a connected client is, as its authentication established it.
 *
 * @param userName the name it proved, or null for an anonymous client
 */
public record ClientIdentity(
        ClientId clientId, ClientType type, @Nullable String userName) {}
