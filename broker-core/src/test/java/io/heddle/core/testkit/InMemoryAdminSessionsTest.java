package io.heddle.core.testkit;

import io.heddle.core.administration.AdminSessions;

class InMemoryAdminSessionsTest extends AdminSessionsContract {
    private final AdminSessions fake = new InMemoryAdminSessions();

    @Override
    protected AdminSessions sessions() {
        return fake;
    }
}
