package io.heddle.core.testkit;

class InMemorySessionRegistryTest extends SessionRegistryContract {
    private final BucketStore store = new InMemoryBucketStore();

    @Override
    protected BucketStore store() {
        return store;
    }
}
