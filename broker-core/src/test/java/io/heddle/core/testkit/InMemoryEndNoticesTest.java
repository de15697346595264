package io.heddle.core.testkit;

import io.heddle.core.cluster.EndNotices;

class InMemoryEndNoticesTest extends EndNoticesContract {
    private final EndNotices fake = new InMemoryEndNotices();

    @Override
    protected EndNotices notices() {
        return fake;
    }
}
