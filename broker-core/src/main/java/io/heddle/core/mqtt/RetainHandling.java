package io.heddle.core.mqtt;

/** The Retain Handling option of a subscription, in the order of the numbers. */
public enum RetainHandling {
    /** Sends retained messages for every SUBSCRIBE. */
    SEND(0),
    /** Sends retained messages only if the subscription is new. */
    SEND_IF_NEW(1),
    /** Sends no retained messages. */
    DO_NOT_SEND(2);

    private static final RetainHandling[] BY_NUMBER = values();

    private final int number;

    RetainHandling(int number) {
        this.number = number;
    }

    /** Returns the two-bit number on the wire, 0 to 2. */
    public int number() {
        return number;
    }

    /** @throws ProtocolException with {@link ReasonCode#PROTOCOL_ERROR} for 3 (MQTT 5.0, section 3.8.3.1) */
    public static RetainHandling ofNumber(int number) {
        if (number < 0 || number >= BY_NUMBER.length) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "Retain Handling must be 0, 1 or 2");
        }
        return BY_NUMBER[number];
    }
}
