package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.publish.PublishCallback;
import io.heddle.core.publish.PublishOutcome;
import io.heddle.core.publish.PublishService;
import io.heddle.core.session.subscribe.SessionHandle;
import org.jspecify.annotations.Nullable;

/** Publishes the messages of a client that its rules allow. Called on the event loop of the connection. */
@HotPath
record PermittedPublishes(SessionHandle session, PublishService publishService) {
    /**
     * Publishes a message like {@link PublishService#publish}, or refuses it. One that is repeated was accepted before, so it is not refused; it
     * may have another topic now, and is delivered only if that is allowed.
     */
    PublishOutcome publish(PublishMessage message, @Nullable PublishCallback callback) {
        boolean isPermitted = session.rules().mayPublish(message.topic(), message.qos(), message.retain());
        if (callback != null && callback.isRepeated()) {
            return isPermitted ? publishService.repeat(message, callback) : PublishService.ALREADY_PUBLISHED;
        }
        return isPermitted
                ? publishService.publish(message, callback)
                : publishService.refusedByRules(message.topic(), session.clientId());
    }
}
