package io.heddle.core.testkit;

class InMemoryDeviceQueuesTest extends DeviceQueuesContract {
    private final BucketStore store = new InMemoryBucketStore();

    @Override
    protected BucketStore store() {
        return store;
    }
}
