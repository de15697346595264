package io.heddle.core.mqtt;

/** Quality of Service of a message or a subscription, in the order of the levels. */
public enum QoS {
    AT_MOST_ONCE(0),
    AT_LEAST_ONCE(1),
    EXACTLY_ONCE(2);

    private static final QoS[] BY_LEVEL = values();

    private final int level;

    QoS(int level) {
        this.level = level;
    }

    /** Returns the two-bit number on the wire, 0 to 2. */
    public int level() {
        return level;
    }

    /** @throws ProtocolException with {@link ReasonCode#MALFORMED_PACKET} for 3 [MQTT-3.3.1-4] */
    public static QoS ofLevel(int level) {
        if (level < 0 || level >= BY_LEVEL.length) {
            throw new ProtocolException(ReasonCode.MALFORMED_PACKET, "QoS must be 0, 1 or 2");
        }
        return BY_LEVEL[level];
    }

    /** Returns the lower level: the QoS of a message delivered through a subscription. */
    public QoS min(QoS other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /** Returns the higher level: the QoS that overlapping subscriptions of one client grant together. */
    public QoS max(QoS other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
