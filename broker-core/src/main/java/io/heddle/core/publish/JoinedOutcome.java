package io.heddle.core.publish;

import io.heddle.core.delivery.log.MessageLog;
import java.util.concurrent.atomic.AtomicInteger;

/** The one outcome of several appends: the last that is durable, or the first that fails. Thread-safe. */
final class JoinedOutcome implements MessageLog.Outcome {
    private static final int FAILED = -1;

    private final AtomicInteger open;
    private final MessageLog.Outcome outcome;

    JoinedOutcome(int appends, MessageLog.Outcome outcome) {
        this.open = new AtomicInteger(appends);
        this.outcome = outcome;
    }

    @Override
    public void appended() {
        if (open.getAndUpdate(left -> left == FAILED ? FAILED : left - 1) == 1) {
            outcome.appended();
        }
    }

    @Override
    public void failed(Throwable reason) {
        if (open.getAndSet(FAILED) != FAILED) {
            outcome.failed(reason);
        }
    }
}
