package io.heddle.core.session;

import io.heddle.core.HotPath;

/**
 * How many more QoS 1 and 2 messages a client takes before it has acknowledged some [MQTT-4.9.0-1]. Begins anew with each
 * connection. Belongs to the session's event loop.
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

    /** Whether another message may be sent [MQTT-4.9.0-2]. */
    boolean isFree() {
        return left > 0;
    }

    /** An exchange goes on. Those that an earlier connection began may take it below zero when the quota is smaller now. */
    void sent() {
        left--;
    }

    /** An exchange is over. One that began on an earlier connection does not raise the quota above where it began. */
    void acknowledged() {
        if (left < initial) {
            left++;
        }
    }
}
