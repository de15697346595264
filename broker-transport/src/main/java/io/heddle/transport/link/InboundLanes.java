package io.heddle.transport.link;

import io.heddle.core.cluster.Incarnation;
import io.netty.channel.Channel;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The positions of this node in the lanes of the other nodes: the number of the last frame that it has handled of each. A position survives
 * the connections of its lane and ends with the incarnation of the sender. Thread-safe. Bound: lanes 0 to {@link Hello#LAST_LANE} of each
 * member.
 */
final class InboundLanes {
    private final ConcurrentHashMap<Key, InboundLane> lanes = new ConcurrentHashMap<>();

    private record Key(Incarnation from, int lane) {}

    InboundLane lane(Incarnation from, int lane) {
        return lanes.computeIfAbsent(new Key(from, lane), _ -> new InboundLane());
    }

    /**
     * Forgets the lanes of an incarnation that has ended, and closes their connections.
     *
     * @return completes when no frame of it is being handled any more, on any thread
     */
    CompletionStage<?> end(Incarnation from) {
        CompletableFuture<?> idle = CompletableFuture.completedFuture(null);
        for (Map.Entry<Key, InboundLane> entry : lanes.entrySet()) {
            if (entry.getKey().from().equals(from) && lanes.remove(entry.getKey(), entry.getValue())) {
                idle = CompletableFuture.allOf(idle, entry.getValue().end());
            }
        }
        return idle;
    }

    int size() {
        return lanes.size();
    }

    /**
     * The position of this node in one lane. One connection at a time is current: only its event loop handles frames and advances the
     * position. A later connection becomes current at once, but reads the position only when no earlier connection is handling a frame.
     * There may be several earlier ones, each on an event loop of its own.
     */
    static final class InboundLane {
        private @Nullable Channel current;
        private boolean ended;
        /** Completes when no connection before the current one handles a frame. */
        private CompletableFuture<@Nullable Void> idle = CompletableFuture.completedFuture(null);
        // Owned by the event loop of the current connection.
        private long received;

        /** Makes a connection current, and runs a task on its event loop once no other one is handling frames. */
        void takeOver(Channel next, Runnable whenReady) {
            if (replaceCurrent(next)) {
                var _ = next.close();
                return;
            }
            var _ = idle().thenRun(() -> execute(next, whenReady));
        }

        private synchronized boolean replaceCurrent(@Nullable Channel next) {
            Channel previous = current;
            if (ended) {
                return true;
            }
            current = next;
            ended = next == null;
            if (previous != null) {
                CompletableFuture<@Nullable Void> before = idle;
                CompletableFuture<@Nullable Void> own = new CompletableFuture<>();
                idle = own;
                // Runs behind the frames that the previous connection is handling. Later ones are dropped, since the
                // connection is not current.
                Runnable barrier = () -> {
                    var _ = previous.close();
                    var _ = before.thenRun(() -> own.complete(null));
                };
                if (!execute(previous, barrier)) {
                    own.complete(null);
                }
            }
            return false;
        }

        /** Returns false if the loop has stopped, and handles frames no more. */
        private static boolean execute(Channel channel, Runnable task) {
            try {
                channel.eventLoop().execute(task);
                return true;
            } catch (RejectedExecutionException stopped) {
                return false;
            }
        }

        private synchronized CompletableFuture<@Nullable Void> idle() {
            return idle;
        }

        synchronized boolean isCurrent(Channel channel) {
            return channel.equals(current);
        }

        long received() {
            return received;
        }

        void onHandled() {
            received++;
        }

        private CompletableFuture<@Nullable Void> end() {
            boolean _ = replaceCurrent(null);
            return idle();
        }
    }
}
