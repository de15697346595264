package io.heddle.app.e2e;

import org.jspecify.annotations.Nullable;

/**
 * Parameters of a library client's CONNECT.
 *
 * @param persistent whether it resumes its session, which outlives the connection; otherwise it begins clean and ends with it
 * @param receiveMaximum of a client of MQTT 5.0, or 0 for the library's own
 */
record Connecting(
        boolean persistent, int receiveMaximum, @Nullable Will will) {
    /** The Session Expiry Interval of persistent sessions of MQTT 5.0, in seconds. */
    static final long EXPIRY_SECONDS = 3_600;

    /** The will of a connection. */
    record Will(String topic, String payload, int qos, boolean retain) {}

    static Connecting clean() {
        return new Connecting(false, 0, null);
    }

    static Connecting persistently() {
        return new Connecting(true, 0, null);
    }

    Connecting withReceiveMaximum(int maximum) {
        return new Connecting(persistent, maximum, will);
    }

    Connecting withWill(String topic, String payload, int qos, boolean retain) {
        return new Connecting(persistent, receiveMaximum, new Will(topic, payload, qos, retain));
    }
}
