package io.heddle.core.delivery.device;

import io.heddle.core.FailureLog;
import io.heddle.core.delivery.log.MessageLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The append of a PUBREC to the log of its bucket.
 *
 * @param onOutcome receives whether the PUBREC is durable, on the thread of the log
 */
record ReceivedAppend(QueueOwner owner, Outcome onOutcome) implements MessageLog.AppendCallback {
    private static final Logger log = LoggerFactory.getLogger(ReceivedAppend.class);

    @FunctionalInterface
    interface Outcome {
        void on(boolean isAppended);
    }

    @Override
    public void onAppended() {
        onOutcome.on(true);
    }

    @Override
    public void onFailed(Throwable reason) {
        FailureLog.warn(
                log,
                "Cannot append a PUBREC to the bucket log; disconnecting the client, bucket=" + owner.bucket()
                        + " clientId=" + owner.clientId(),
                reason);
        onOutcome.on(false);
    }
}
