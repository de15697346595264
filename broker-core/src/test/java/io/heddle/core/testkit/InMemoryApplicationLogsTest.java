package io.heddle.core.testkit;

import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import java.util.List;

class InMemoryApplicationLogsTest extends ApplicationLogsContract {
    private final InMemoryApplicationLogs fake = new InMemoryApplicationLogs();

    @Override
    protected ApplicationLogs logs() {
        return fake;
    }

    @Override
    protected void append(List<ToApplication> appends) {
        appends.forEach(fake::append);
    }

    @Override
    protected void commit(List<ToApplication> appends) {
        append(appends);
        appends.stream().map(ToApplication::clientId).distinct().forEach(fake::skip);
    }
}
