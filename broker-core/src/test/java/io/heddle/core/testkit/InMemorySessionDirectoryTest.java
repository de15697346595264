package io.heddle.core.testkit;

import io.heddle.core.session.directory.SessionDirectory;

class InMemorySessionDirectoryTest extends SessionDirectoryContract {
    private final SessionDirectory fake = new InMemorySessionDirectory();

    @Override
    protected SessionDirectory directory() {
        return fake;
    }
}
