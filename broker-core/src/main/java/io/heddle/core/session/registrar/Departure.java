package io.heddle.core.session.registrar;

import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.persistent.PersistentSession;
import org.jspecify.annotations.Nullable;

/**
 * The end of a connection that had a persistent session.
 *
 * @param epoch of the connection
 * @param sentUpTo the sequence number up to which messages were sent to the client
 * @param expirySeconds the Session Expiry Interval from now on; 0 when the session ends with the connection
 * @param will that is due now or after its delay, and is not charged any more; or null
 */
public record Departure(
        PersistentSession session,
        long epoch,
        long sentUpTo,
        long expirySeconds,
        @Nullable WillMessage will) {}
