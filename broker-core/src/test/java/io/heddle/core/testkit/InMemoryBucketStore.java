package io.heddle.core.testkit;

import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.session.persistent.SessionRegistry;

/** The fake under test, with a fixed clock. */
final class InMemoryBucketStore implements BucketStore {
    private static final long MICROS = 1_800_000_000_000_000L;

    private final InMemoryDeviceQueues fake = new InMemoryDeviceQueues(() -> MICROS);

    @Override
    public DeviceQueues queues() {
        return fake;
    }

    @Override
    public SessionRegistry registry() {
        return fake;
    }

    @Override
    public void losePosition(int bucket) {
        fake.losePosition(bucket);
    }

    @Override
    public void loseEverything() {
        fake.loseEverything();
    }

    @Override
    public long micros() {
        return MICROS;
    }
}
