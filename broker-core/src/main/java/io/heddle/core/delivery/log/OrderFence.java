package io.heddle.core.delivery.log;

/**
 * What one connection publishes above QoS 0, in its order. Once something of it could not be written, nothing behind it is: its client
 * sends all of that again, and a later message that was there already would stand before it [MQTT-4.6.0-5].
 *
 * <p>Whole → broken. Thread-safe.
 */
public final class OrderFence {
    private volatile boolean broken;

    /** Something of it could not be written. */
    public void breakOff() {
        broken = true;
    }

    /** Whether nothing more of it may be written. */
    public boolean isBroken() {
        return broken;
    }
}
