package io.heddle.core.delivery.bucket;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.bucket.QueueSessions.Reader;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Batches pushes to connected sessions into one task for each event loop, and passes those to other nodes on. Belongs to one thread until
 * they are sent. Bound: the records of one poll of the logs, or of one frame of another node.
 */
@HotPath
public final class QueuePushes {
    private final Map<EventLoop, List<Push>> byLoop = new LinkedHashMap<>();

    /** A call of a reader, on its event loop. */
    private sealed interface Push {
        void deliver();
    }

    private record Message(Reader reader, long sequence, BucketCommand.Enqueue command, QueueRecipient recipient)
            implements Push {
        @Override
        public void deliver() {
            reader.pushed(sequence, command, recipient);
        }
    }

    private record FilledUpTo(Reader reader, long sequence) implements Push {
        @Override
        public void deliver() {
            reader.filledUpTo(sequence);
        }
    }

    public void addMessage(PushTarget target, long sequence, BucketCommand.Enqueue command, QueueRecipient recipient) {
        target.pushing(sequence);
        switch (target) {
            case Reader reader -> pushes(reader).add(new Message(reader, sequence, command, recipient));
            case RemoteTarget remote -> remote.push(sequence, command, recipient);
        }
    }

    /** Adds a hint that a queue has assigned sequence numbers up to this one, without their messages. */
    public void addFilledUpTo(PushTarget target, long sequence) {
        switch (target) {
            case Reader reader -> pushes(reader).add(new FilledUpTo(reader, sequence));
            case RemoteTarget remote -> remote.pushFilledUpTo(sequence);
        }
    }

    private List<Push> pushes(Reader reader) {
        return byLoop.computeIfAbsent(reader.eventLoop(), _ -> new ArrayList<>());
    }

    /** Sends the batched pushes to their event loops. */
    public void send() {
        for (Map.Entry<EventLoop, List<Push>> ofLoop : byLoop.entrySet()) {
            EventLoop eventLoop = ofLoop.getKey();
            List<Push> pushes = ofLoop.getValue();
            eventLoop.execute(() -> deliver(eventLoop, pushes, 0));
        }
        byLoop.clear();
    }

    /**
     * Delivers the pushes. After an exception in one session, another task delivers the rest, so that a bug loses no other session's
     * messages.
     */
    private static void deliver(EventLoop eventLoop, List<Push> pushes, int from) {
        int next = from;
        try {
            while (next < pushes.size()) {
                pushes.get(next++).deliver();
            }
        } finally {
            if (next < pushes.size()) {
                int rest = next;
                eventLoop.execute(() -> deliver(eventLoop, pushes, rest));
            }
        }
    }
}
