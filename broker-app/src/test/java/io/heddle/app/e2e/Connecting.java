package io.heddle.app.e2e;

import org.jspecify.annotations.Nullable;

/**
 * Parameters of a library client's CONNECT.
 *
 * @param persistent whether it resumes its session, which outlives the connection; otherwise it begins clean and ends with it
 * @param expirySeconds how long a persistent session of MQTT 5.0 outlives its connection
 * @param receiveMaximum of a client of MQTT 5.0, or 0 for the library's own
 */
record Connecting(
        boolean persistent,
        long expirySeconds,
        int receiveMaximum,
        @Nullable Will will) {
    private static final long EXPIRY_SECONDS = 3_600;

    /** The will of a connection. */
    record Will(String topic, String payload, int qos, boolean retain) {}

    static Connecting clean() {
        return new Connecting(false, 0, 0, null);
    }

    static Connecting persistently() {
        return new Connecting(true, EXPIRY_SECONDS, 0, null);
    }

    Connecting expiringAfter(long seconds) {
        return new Connecting(persistent, seconds, receiveMaximum, will);
    }

    Connecting withReceiveMaximum(int maximum) {
        return new Connecting(persistent, expirySeconds, maximum, will);
    }

    Connecting withWill(String topic, String payload, int qos, boolean retain) {
        return new Connecting(persistent, expirySeconds, receiveMaximum, new Will(topic, payload, qos, retain));
    }
}
