package io.heddle.core.testkit;

import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.mqtt.ReasonCode;
import java.util.ArrayList;
import java.util.List;

/** Writes down what it hears of a feed. Confined to the feed's event loop. */
public final class RecordingFeedListener implements OutboundQueue.Listener {
    private int ready;
    private final List<String> lost = new ArrayList<>();

    /** How often there was a message where there had been none. */
    public int ready() {
        return ready;
    }

    /** Why the connection had to go, each time. */
    public List<String> lost() {
        return List.copyOf(lost);
    }

    @Override
    public void feedReady() {
        ready++;
    }

    @Override
    public void feedLost(ReasonCode code, String reason) {
        lost.add(code + ": " + reason);
    }
}
