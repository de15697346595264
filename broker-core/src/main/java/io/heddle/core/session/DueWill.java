package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.quota.MemoryAccount;
import org.jspecify.annotations.Nullable;

/**
 * The will of a client that has gone, still to be published, and on its session's account. Belongs to the session's event loop.
 */
final class DueWill {
    private final ClientId clientId;
    private final MemoryAccount memory;
    private final SessionServices services;
    private @Nullable WillMessage will;

    DueWill(WillMessage will, ClientId clientId, MemoryAccount memory, SessionServices services) {
        this.will = will;
        this.clientId = clientId;
        this.memory = memory;
        this.services = services;
    }

    /**
     * How long it waits, in seconds. Where there is no room for it to wait, it is published too early rather than not at all:
     * then it is zero.
     */
    long delaySeconds() {
        long wished = will == null ? 0 : will.delaySeconds();
        if (wished > 0 && memory.isOverdrawn()) {
            services.metrics().willsEarly.increment();
            return 0;
        }
        return wished;
    }

    /** It is not due any more. */
    void forget() {
        if (will != null) {
            memory.giveBack(will.heldBytes());
            will = null;
        }
    }

    /** Publishes it, unless that is done. */
    void publish() {
        WillMessage due = will;
        forget();
        if (due != null) {
            services.publishWill(clientId, due);
        }
    }
}
