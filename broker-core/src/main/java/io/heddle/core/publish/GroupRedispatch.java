package io.heddle.core.publish;

import io.heddle.core.FailureLog;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.node.SharedRedispatch;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dispatches messages that other nodes have not delivered to members of shared subscriptions. Stateless. */
public record GroupRedispatch(PublishService publishService) implements SharedRedispatch {
    private static final Logger log = LoggerFactory.getLogger(GroupRedispatch.class);

    @Override
    public Outcome redispatch(PublishMessage message, TopicFilter sharedFilter, Runnable onDone, Runnable onFailed) {
        return publishService.redispatch(message, sharedFilter, new MessageLog.AppendCallback() {
            @Override
            public void onAppended() {
                onDone.run();
            }

            @Override
            public void onFailed(Throwable reason) {
                boolean mayRepeat = message.qos() == QoS.AT_LEAST_ONCE;
                FailureLog.warn(
                        log,
                        "Could not append a message of a shared subscription that another node has not delivered; "
                                + (mayRepeat ? "retrying" : "it may be lost") + ": filter=" + sharedFilter,
                        reason);
                if (mayRepeat) {
                    onFailed.run();
                } else {
                    publishService.countFailedAppend();
                    onDone.run();
                }
            }
        });
    }
}
