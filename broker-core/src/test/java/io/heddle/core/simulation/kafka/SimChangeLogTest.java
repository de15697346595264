package io.heddle.core.simulation.kafka;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.testkit.ChangeLogContract;
import org.junit.jupiter.api.AutoClose;

final class SimChangeLogTest extends ChangeLogContract {
    @AutoClose
    private final DrivenKafka kafka = new DrivenKafka(1);
    // A proxy of this interface is one of its generic type.
    @SuppressWarnings("unchecked")
    private final ChangeLog<ProgressKey, Progress> log =
            kafka.port(ChangeLog.class, kafka.client().progress());

    @Override
    protected ChangeLog<ProgressKey, Progress> log() {
        return log;
    }
}
