package io.heddle.core.testkit;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;

class InMemoryChangeLogTest extends ChangeLogContract {
    private final InMemoryChangeLog<ProgressKey, Progress> fake = new InMemoryChangeLog<>();

    @Override
    protected ChangeLog<ProgressKey, Progress> log() {
        return fake;
    }
}
