package io.heddle.core.testkit;

import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.session.persistent.SessionRegistry;

/** The fake under test. */
final class InMemoryBucketStore implements BucketStore {
    private final InMemoryDeviceQueues fake = new InMemoryDeviceQueues();

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
}
