package io.heddle.core.delivery.log;

/**
 * Keeps the QoS 1 and 2 messages of one connection in order. After a failed append it rejects all later ones: the client sends all of these
 * messages again, and a message already written would then precede an earlier one [MQTT-4.6.0-5].
 *
 * <p>States: whole → broken. Thread-safe.
 */
public final class OrderFence {
    private volatile boolean broken;

    /** Breaks the fence after a failed append. */
    public void breakOff() {
        broken = true;
    }

    /** Returns whether later messages of the connection must not be written. */
    public boolean isBroken() {
        return broken;
    }
}
