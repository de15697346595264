package io.heddle.core.testkit;

import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.mqtt.ReasonCode;
import java.util.ArrayList;
import java.util.List;

/** Records the events of a feed. Belongs to the feed's event loop. */
public final class RecordingFeedListener implements OutboundQueue.Listener {
    private int ready;
    private final List<String> lost = new ArrayList<>();

    /** The number of {@link #onMessageAvailable} calls. */
    public int ready() {
        return ready;
    }

    /** The reasons of all {@link #onQueueLost} calls. */
    public List<String> lost() {
        return List.copyOf(lost);
    }

    @Override
    public void onMessageAvailable() {
        ready++;
    }

    @Override
    public void onQueueLost(ReasonCode code, String reason) {
        lost.add(code + ": " + reason);
    }
}
