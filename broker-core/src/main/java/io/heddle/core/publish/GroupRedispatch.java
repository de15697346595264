package io.heddle.core.publish;

import io.heddle.core.FailureLog;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.node.SharedRedispatch;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dispatches messages of other nodes to members of shared subscriptions. Stateless. */
public record GroupRedispatch(PublishService publishService) implements SharedRedispatch {
    private static final Logger log = LoggerFactory.getLogger(GroupRedispatch.class);

    @Override
    public Outcome redispatch(PublishMessage message, TopicFilter sharedFilter, Runnable onDone) {
        return publishService.redispatch(message, sharedFilter, new MessageLog.AppendCallback() {
            @Override
            public void onAppended() {
                onDone.run();
            }

            @Override
            public void onFailed(Throwable reason) {
                publishService.countFailedAppend();
                FailureLog.warn(
                        log,
                        "Could not append a message of a shared subscription that another node passed on; it is lost: filter="
                                + sharedFilter,
                        reason);
                onDone.run();
            }
        });
    }
}
