package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.session.persistent.PersistentSession;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The QoS 2 marker of a message whose PUBREL has come, until its release is committed. Completes on a thread of the log. */
@HotPath
final class ReleasedMarker implements MessageLog.AppendCallback {
    private final PersistentSession session;
    private final EventLoop eventLoop;
    private final Consumer<@Nullable Throwable> result;

    private ReleasedMarker(PersistentSession session, EventLoop eventLoop, Consumer<@Nullable Throwable> result) {
        this.session = session;
        this.eventLoop = eventLoop;
        this.result = result;
    }

    /**
     * Commits the release of a marker: only then may the identifier be used for another message. A late copy of an appended release would
     * remove the marker of that message.
     *
     * @param result receives null, or the failure, on the event loop of the connection
     */
    static void commit(
            MessageLog log,
            ClientId clientId,
            PersistentSession session,
            int packetId,
            EventLoop eventLoop,
            Consumer<@Nullable Throwable> result) {
        LogAppend release = new LogAppend.ToBucket(
                session.bucket(), new BucketCommand.InboundReleased(clientId, session.generation(), packetId));
        session.pendingCommits().begin();
        log.commit(List.of(release), new OrderFence(), new ReleasedMarker(session, eventLoop, result));
    }

    @Override
    public void onAppended() {
        eventLoop.execute(() -> result.accept(null));
        session.pendingCommits().end();
    }

    @Override
    public void onFailed(Throwable reason) {
        eventLoop.execute(() -> result.accept(reason));
        session.pendingCommits().end();
    }
}
