package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.publish.PublishCallback;
import io.heddle.core.publish.PublishOutcome;
import org.jspecify.annotations.Nullable;

/**
 * A QoS 0 message that is being retained. It counts as bytes of its publisher until the log has answered. Begins on the event loop of the
 * publisher's connection; ends on a thread of the log.
 */
@HotPath
record PendingRetention(PendingAcks acks, PublishMessage message, ClientIncidents incidents)
        implements PublishCallback {
    void begin() {
        acks.addRetentionBytes(message.heldBytes());
    }

    void end() {
        acks.addRetentionBytes(-message.heldBytes());
    }

    @Override
    public void onDurable(PublishOutcome outcome, @Nullable Backlog backlog) {
        end();
    }

    @Override
    public void onFailed(Throwable reason) {
        end();
        incidents.dropped(
                "append_failed", "a QoS 0 message was delivered but could not be retained", message.publisher());
    }
}
