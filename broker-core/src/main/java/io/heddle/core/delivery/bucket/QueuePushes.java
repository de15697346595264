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
 * Tells connected sessions what their queues got: one task for each event loop, however many sessions and messages there are.
 * Belongs to the thread that gathers, until it is sent. Bound: what one poll of the logs returns.
 */
@HotPath
final class QueuePushes {
    private final Map<EventLoop, List<Hint>> byLoop = new LinkedHashMap<>();

    /** Something that a reader is told, on its event loop. */
    private sealed interface Hint {
        void tell();
    }

    private record Message(Reader reader, long sequence, BucketCommand.Enqueue command, QueueRecipient recipient)
            implements Hint {
        @Override
        public void tell() {
            reader.pushed(sequence, command, recipient);
        }
    }

    private record FilledUpTo(Reader reader, long sequence) implements Hint {
        @Override
        public void tell() {
            reader.filledUpTo(sequence);
        }
    }

    /** The reader's queue got this message. */
    void message(Reader reader, long sequence, BucketCommand.Enqueue command, QueueRecipient recipient) {
        reader.pushing(sequence);
        hints(reader).add(new Message(reader, sequence, command, recipient));
    }

    /** The reader's queue has, or had, messages up to this number, and nobody knows which. */
    void filledUpTo(Reader reader, long sequence) {
        hints(reader).add(new FilledUpTo(reader, sequence));
    }

    private List<Hint> hints(Reader reader) {
        return byLoop.computeIfAbsent(reader.eventLoop(), _ -> new ArrayList<>());
    }

    /** Hands over what was gathered, and forgets it. */
    void send() {
        for (Map.Entry<EventLoop, List<Hint>> ofLoop : byLoop.entrySet()) {
            EventLoop eventLoop = ofLoop.getKey();
            List<Hint> hints = ofLoop.getValue();
            eventLoop.execute(() -> tell(eventLoop, hints, 0));
        }
        byLoop.clear();
    }

    /** A bug that strikes one session does not cost the others their messages: they are told in a task of their own. */
    private static void tell(EventLoop eventLoop, List<Hint> hints, int from) {
        int next = from;
        try {
            while (next < hints.size()) {
                hints.get(next++).tell();
            }
        } finally {
            if (next < hints.size()) {
                int rest = next;
                eventLoop.execute(() -> tell(eventLoop, hints, rest));
            }
        }
    }
}
