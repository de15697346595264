package io.heddle.core.testkit;

import io.heddle.core.administration.AuditLog;

class InMemoryAuditLogTest extends AuditLogContract {
    private final AuditLog fake = new InMemoryAuditLog();

    @Override
    protected AuditLog log() {
        return fake;
    }
}
