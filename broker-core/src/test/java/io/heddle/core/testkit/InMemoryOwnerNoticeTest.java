package io.heddle.core.testkit;

import io.heddle.core.cluster.OwnerNotice;

class InMemoryOwnerNoticeTest extends OwnerNoticeContract {
    private final OwnerNotice fake = new InMemoryOwnerNotice();

    @Override
    protected OwnerNotice notice() {
        return fake;
    }
}
