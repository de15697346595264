package io.heddle.app.settings;

import io.heddle.core.lifecycle.StartupException;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How messages reach their recipients.
 *
 * @param handoverLimit the most that may wait for one event loop because other event loops handed it over; what comes above it
 *     at QoS 0 is dropped and counted
 */
public record DeliverySettings(@DefaultValue("64MB") DataSize handoverLimit) {
    public DeliverySettings {
        if (handoverLimit.toBytes() < 1) {
            throw new StartupException(
                    "heddle.delivery.handover-limit is " + handoverLimit + ": set it to 1MB or more", null);
        }
    }
}
