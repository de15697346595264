package io.heddle.core.simulation.kafka;

import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.testkit.ApplicationLogsContract;
import io.heddle.core.testkit.RecordingOutcome;
import java.util.List;
import org.junit.jupiter.api.AutoClose;

final class SimApplicationLogsTest extends ApplicationLogsContract {
    @AutoClose
    private final DrivenKafka kafka = new DrivenKafka(1);

    private final ApplicationLogs logs =
            kafka.port(ApplicationLogs.class, kafka.client().applications());
    private final MessageLog messages =
            kafka.port(MessageLog.class, kafka.client().messages(kafka.positions()));

    @Override
    protected ApplicationLogs logs() {
        return logs;
    }

    @Override
    protected void append(List<ToApplication> appends) throws Exception {
        RecordingOutcome outcome = new RecordingOutcome();
        messages.append(List.<LogAppend>copyOf(appends), outcome);
        requireDone(outcome);
    }

    @Override
    protected void commit(List<ToApplication> appends) throws Exception {
        RecordingOutcome outcome = new RecordingOutcome();
        messages.commit(List.<LogAppend>copyOf(appends), new OrderFence(), outcome);
        requireDone(outcome);
    }

    private static void requireDone(RecordingOutcome outcome) throws InterruptedException {
        if (outcome.await() != null) {
            throw new AssertionError("the append failed");
        }
    }
}
