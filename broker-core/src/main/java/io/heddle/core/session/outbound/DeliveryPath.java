package io.heddle.core.session.outbound;

import io.heddle.core.client.ClientType;

/** The ways of a message to a subscriber. */
public enum DeliveryPath {
    /** Through memory, to the sessions that end with their connections, and at QoS 0 to all. */
    DIRECT,
    /** Through a bucket log, to a DEVICE client with a persistent session. */
    DEVICE,
    /** Through the log of an APPLICATION client with a persistent session. */
    APPLICATION;

    /** Returns the way of stored messages to clients of a type. */
    static DeliveryPath ofStored(ClientType type) {
        return switch (type) {
            case DEVICE -> DEVICE;
            case APPLICATION -> APPLICATION;
        };
    }
}
