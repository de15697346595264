package io.heddle.core.session.registrar;

import io.heddle.core.client.ClientId;
import org.jspecify.annotations.Nullable;

/**
 * A connected client whose session ends with its connection.
 *
 * @param number of the connection, which the registrar has chosen: the client's next connection has a higher one
 * @param userName by which the client was authenticated, or null
 */
public record TransientClient(
        ClientId clientId, long number, @Nullable String userName) {}
