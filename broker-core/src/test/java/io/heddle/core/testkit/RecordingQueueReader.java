package io.heddle.core.testkit;

import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reader that records its calls. Belongs to its event loop. */
public final class RecordingQueueReader implements QueueSessions.Reader {
    private final EventLoop eventLoop;
    private final long epoch;
    private final List<String> heard = new ArrayList<>();
    private @Nullable RuntimeException fault;
    private volatile long reportedBelow;
    // Belongs to the applying thread.
    private long pushedUpTo;

    public RecordingQueueReader(EventLoop eventLoop, long epoch) {
        this.eventLoop = eventLoop;
        this.epoch = epoch;
    }

    /** Makes all calls throw this. */
    public void fault(RuntimeException thrown) {
        fault = thrown;
    }

    /** The calls: "1 payload", "up to 1", "tail 1", "rolled back" or "reset". */
    public List<String> heard() {
        return List.copyOf(heard);
    }

    @Override
    public EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public long pushedUpTo() {
        return pushedUpTo;
    }

    @Override
    public void pushing(long sequence) {
        pushedUpTo = sequence;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public long reportedBelow() {
        return reportedBelow;
    }

    /** Simulates that everything below this sequence number was reported to the queue. */
    public void reportedBelow(long lowest) {
        reportedBelow = lowest;
    }

    @Override
    public void onQueueRolledBack() {
        hear("rolled back");
    }

    @Override
    public void onSequencesReset(long viewId) {
        hear("reset");
    }

    @Override
    public boolean onTail(long tail) {
        hear("tail " + tail);
        return true;
    }

    @Override
    public void pushed(long sequence, BucketCommand.Enqueue command, QueueRecipient recipient) {
        hear(sequence + " " + PublishMessages.text(command.message()));
    }

    @Override
    public void filledUpTo(long sequence) {
        hear("up to " + sequence);
    }

    private void hear(String word) {
        eventLoop.assertCurrent();
        if (fault != null) {
            throw fault;
        }
        heard.add(word);
    }
}
