package io.heddle.core.simulation.kafka;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.testkit.ChangeLogContract;
import org.junit.jupiter.api.AfterEach;

final class SimChangeLogTest extends ChangeLogContract {
    private final DrivenKafka kafka = new DrivenKafka(1);
    // A proxy of this interface is one of its generic type.
    @SuppressWarnings("unchecked")
    private final ChangeLog<ClientId, SessionRecord> log =
            kafka.port(ChangeLog.class, kafka.client().sessions());

    @AfterEach
    void close() {
        kafka.close();
    }

    @Override
    protected ChangeLog<ClientId, SessionRecord> log() {
        return log;
    }
}
