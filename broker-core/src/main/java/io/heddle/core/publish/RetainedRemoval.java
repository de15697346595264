package io.heddle.core.publish;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.retained.RetainedChange;
import io.heddle.core.retained.RetainedMessages;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Removes retained messages without publishing anything: subscribers do not receive the message without payload with which a client removes
 * a retained message. Thread-safe.
 */
public final class RetainedRemoval {
    private final RetainedMessages retained;
    private final MessageLog log;

    public RetainedRemoval(RetainedMessages retained, MessageLog log) {
        this.retained = retained;
        this.log = log;
    }

    /**
     * Removes the retained message of a topic on all nodes, if there is one. It is invisible on this node at once, and returns if the commit
     * fails.
     *
     * @param administrator that removes it
     * @return completes on a thread of the log, which must not be blocked, when the removal is durable; fails if it is not, or is not known to be
     */
    public CompletionStage<Void> remove(TopicName topic, ClientId administrator) {
        PublishMessage removal = new PublishMessage(
                administrator,
                topic,
                QoS.AT_LEAST_ONCE,
                true,
                PublishProperties.NONE,
                BinaryData.EMPTY,
                PublishMessage.NEVER_EXPIRES);
        // A removal exceeds no limit.
        RetainedChange change = Objects.requireNonNull(retained.change(removal, (_, _) -> {}), "an admitted removal");
        CompletableFuture<Void> removed = new CompletableFuture<>();
        boolean sent = false;
        try {
            RetainedAppend.append(log, List.of(), removal, change, new MessageLog.AppendCallback() {
                @Override
                public void onAppended() {
                    removed.complete(null);
                }

                @Override
                public void onFailed(Throwable reason) {
                    removed.completeExceptionally(reason);
                }
            });
            sent = true;
        } finally {
            if (!sent) {
                change.failed();
            }
        }
        return removed;
    }
}
