package io.heddle.core.session.outbound;

import io.heddle.core.HotPath;

/**
 * The client's send quota: the number of QoS 1 and 2 messages that may be sent before further acknowledgements [MQTT-4.9.0-1]. Each
 * connection starts with a full quota. Owned by the session's event loop.
 */
@HotPath
final class SendQuota {
    private final int initial;
    private int left;

    /** A full quota; {@code initial} is at least 1. */
    SendQuota(int initial) {
        this.initial = initial;
        this.left = initial;
    }

    /** Returns whether another message may be sent [MQTT-4.9.0-2]. */
    boolean isFree() {
        return left > 0;
    }

    /** An exchange started or was resumed. Resumed exchanges may make the quota negative when it is smaller than before. */
    void sent() {
        left--;
    }

    /** An exchange is completed. One that started over an earlier connection does not raise the quota above its initial value. */
    void acknowledged() {
        if (left < initial) {
            left++;
        }
    }
}
