package io.heddle.app.settings;

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
        ByteLimit.between(
                "heddle.delivery.handover-limit", handoverLimit, DataSize.ofKilobytes(64), DataSize.ofTerabytes(1));
    }
}
