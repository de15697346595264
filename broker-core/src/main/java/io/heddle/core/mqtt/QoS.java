package io.heddle.core.mqtt;

/** Quality of Service of a message or a subscription. The constants stand in the order of their levels. */
public enum QoS {
    AT_MOST_ONCE(0),
    AT_LEAST_ONCE(1),
    EXACTLY_ONCE(2);

    private static final QoS[] BY_LEVEL = values();

    private final int level;

    QoS(int level) {
        this.level = level;
    }

    /** The two-bit number on the wire, 0 to 2. */
    public int level() {
        return level;
    }

    /**
     * The quality of service with a level.
     *
     * @throws ProtocolException with {@link ReasonCode#MALFORMED_PACKET} for 3 [MQTT-3.3.1-4]
     */
    public static QoS ofLevel(int level) {
        if (level < 0 || level >= BY_LEVEL.length) {
            throw new ProtocolException(ReasonCode.MALFORMED_PACKET, "QoS must be 0, 1 or 2");
        }
        return BY_LEVEL[level];
    }

    /** The lower of two levels: what a message of one quality gets through a subscription of another. */
    public QoS min(QoS other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /** The higher of two levels: what overlapping subscriptions of one client grant together. */
    public QoS max(QoS other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
