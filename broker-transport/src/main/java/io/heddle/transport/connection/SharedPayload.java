package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.BinaryData;

/**
 * A large payload that connections of one event loop are sending, piece by piece. All of them send the same array, which counts once for
 * each loop in {@link UnsentOutput} until the last of them has sent it or is closed. Owned by that loop.
 */
@HotPath
final class SharedPayload {
    private final BinaryData payload;
    private final UnsentOutput node;
    private final boolean charged;
    // The loop, while it delivers the message, and each connection that has not sent all of it.
    private int holders = 1;

    /** Creates a payload with one holder. It is charged if there is room. */
    SharedPayload(BinaryData payload, UnsentOutput node) {
        this.payload = payload;
        this.node = node;
        this.charged = node.tryChargePayload(payload.length());
    }

    @SuppressWarnings("ReferenceEquality") // Copies of a message share their payload.
    boolean is(BinaryData other) {
        return payload == other;
    }

    /** Returns whether its bytes are charged. Otherwise only a message that its session keeps anyway may be sent. */
    boolean isCharged() {
        return charged;
    }

    byte[] bytes() {
        return payload.array();
    }

    void hold() {
        holders++;
    }

    void release() {
        holders--;
        if (holders == 0 && charged) {
            node.releasePayload(payload.length());
        }
    }
}
