package io.heddle.core.delivery.device;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.device.QueueSessions.Reader;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells connected sessions what their queues got: one task for each event loop, however many sessions and messages there are.
 * Belongs to the thread that gathers, until it is sent.
 */
@HotPath
final class QueuePushes {
    private final Map<EventLoop, List<Push>> byLoop = new LinkedHashMap<>();

    private record Push(Reader reader, long sequence, BucketCommand.Enqueue command, QueueRecipient recipient) {}

    void add(Reader reader, long sequence, BucketCommand.Enqueue command, QueueRecipient recipient) {
        byLoop.computeIfAbsent(reader.eventLoop(), _ -> new ArrayList<>())
                .add(new Push(reader, sequence, command, recipient));
    }

    void send() {
        for (Map.Entry<EventLoop, List<Push>> ofLoop : byLoop.entrySet()) {
            List<Push> pushes = ofLoop.getValue();
            ofLoop.getKey().execute(() -> {
                for (int i = 0; i < pushes.size(); i++) {
                    Push push = pushes.get(i);
                    push.reader.pushed(push.sequence, push.command, push.recipient);
                }
            });
        }
        byLoop.clear();
    }
}
