package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.subscription.LocalSession;

/** The recipients of one message that one event loop owns. */
@HotPath
public final class LoopRecipients extends Recipients<LocalSession> {
    private final EventLoop eventLoop;

    LoopRecipients(EventLoop eventLoop) {
        this.eventLoop = eventLoop;
    }

    /** The owner of these sessions. */
    public EventLoop eventLoop() {
        return eventLoop;
    }
}
