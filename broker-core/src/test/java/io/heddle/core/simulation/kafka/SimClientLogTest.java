package io.heddle.core.simulation.kafka;

import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.testkit.ClientLogContract;
import org.junit.jupiter.api.AutoClose;

final class SimClientLogTest extends ClientLogContract {
    @AutoClose
    private final DrivenKafka kafka = new DrivenKafka(BUCKETS);

    private final ClientLog log = kafka.port(ClientLog.class, kafka.client().clients());

    @Override
    protected ClientLog log() {
        return log;
    }
}
