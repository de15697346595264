package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.subscription.LocalSession;

/** The recipients of one message whose sessions belong to one event loop. */
@HotPath
public final class LoopRecipients extends Recipients<LocalSession> {
    private final EventLoop eventLoop;

    LoopRecipients(EventLoop eventLoop) {
        this.eventLoop = eventLoop;
    }

    public EventLoop eventLoop() {
        return eventLoop;
    }
}
