package io.heddle.core.testkit;

import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.session.SessionRegistry;

class InMemorySessionRegistryTest extends SessionRegistryContract {
    private static final long MICROS = 1_800_000_000_000_000L;

    private final InMemoryDeviceQueues fake = new InMemoryDeviceQueues(() -> MICROS);

    @Override
    protected DeviceQueues queues() {
        return fake;
    }

    @Override
    protected SessionRegistry registry() {
        return fake;
    }

    @Override
    protected void losePosition() {
        fake.losePosition(BUCKET);
    }

    @Override
    protected void loseEverything() {
        fake.loseEverything();
    }

    @Override
    protected long storeMicros() {
        return MICROS;
    }
}
