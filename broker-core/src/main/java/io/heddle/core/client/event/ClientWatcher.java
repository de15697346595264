package io.heddle.core.client.event;

import io.heddle.core.client.event.ClientEvent.Kind;

/** Watches what happens to clients. Its methods are called on any thread, also event loops, so they must not block. */
public interface ClientWatcher {
    /** Returns whether an event of the kind is wanted now. If so, it is created and follows. */
    boolean accepts(Kind kind);

    /** An event has happened, of a kind that was just accepted. */
    void onEvent(ClientEvent event);
}
