package io.heddle.core.session.registrar;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.persistent.SessionRecord;
import org.jspecify.annotations.Nullable;

/**
 * The end of a connection that had a session. Its node sends it when the outcome of the client's publishes is known.
 *
 * @param generation of the session, or {@link #TRANSIENT}
 * @param epoch of the connection; its number if the session is transient
 * @param sentUpTo the sequence number up to which messages were sent to the client
 * @param appendedUpTo the highest offset that the node has appended to the log of the client's bucket, with markers of the client's QoS 2
 *     messages; or {@link BucketBatch#NOTHING}
 * @param expirySeconds the Session Expiry Interval from now on; 0 when the session ends with the connection
 * @param will that is due now or after its delay, and is not charged any more; or null
 * @param before the record that the session had before the connection, to be restored, if the client was lost before CONNACK; else null
 */
public record Departure(
        ClientId clientId,
        long generation,
        long epoch,
        long sentUpTo,
        long appendedUpTo,
        long expirySeconds,
        @Nullable WillMessage will,
        @Nullable SessionRecord before) {
    /** The end of a connection whose client has got CONNACK, or whose session has begun with this connection. */
    public Departure(
            ClientId clientId,
            long generation,
            long epoch,
            long sentUpTo,
            long expirySeconds,
            @Nullable WillMessage will) {
        this(clientId, generation, epoch, sentUpTo, BucketBatch.NOTHING, expirySeconds, will, null);
    }

    /** The generation in the departure of a connection without a persistent session. */
    public static final long TRANSIENT = 0;

    /** The end of a registered connection without a persistent session. */
    public static Departure ofTransient(ClientId clientId, long number) {
        return new Departure(clientId, TRANSIENT, number, 0, 0, null);
    }

    /**
     * The departure of a client that gets no CONNACK: without a will, because a will takes effect only with CONNACK. A session that has begun
     * with the connection ends with it: a client without CONNACK has no session [MQTT-3.2.2-4].
     */
    public static Departure unanswered(ClientId clientId, OpenOutcome.Opened opened, long expirySeconds) {
        return new Departure(
                clientId,
                opened.generation(),
                opened.epoch(),
                opened.registration().sentUpTo(),
                BucketBatch.NOTHING,
                opened.isPresent() ? expirySeconds : 0,
                null,
                opened.before());
    }

    /** Returns the departure from a node that has appended up to an offset. */
    public Departure afterAppends(long highest) {
        return new Departure(clientId, generation, epoch, sentUpTo, highest, expirySeconds, will, before);
    }
}
