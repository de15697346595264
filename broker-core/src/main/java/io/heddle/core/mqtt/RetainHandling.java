package io.heddle.core.mqtt;

/** When a subscription gets the retained messages of its topics. The constants stand in the order of their numbers. */
public enum RetainHandling {
    /** Whenever SUBSCRIBE names the filter. */
    SEND(0),
    /** Only when the subscription did not exist before. */
    SEND_IF_NEW(1),
    /** Never. */
    DO_NOT_SEND(2);

    private static final RetainHandling[] BY_NUMBER = values();

    private final int number;

    RetainHandling(int number) {
        this.number = number;
    }

    /** The two-bit number on the wire, 0 to 2. */
    public int number() {
        return number;
    }

    /**
     * The option with this number.
     *
     * @throws ProtocolException with {@link ReasonCode#PROTOCOL_ERROR} for 3 (MQTT 5.0, section 3.8.3.1)
     */
    public static RetainHandling ofNumber(int number) {
        if (number < 0 || number >= BY_NUMBER.length) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "Retain Handling must be 0, 1 or 2");
        }
        return BY_NUMBER[number];
    }
}
