package io.heddle.core.session.registrar;

import static java.util.Objects.requireNonNull;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.delivery.bucket.BucketPositions.Hold;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSession.RecordChange;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The resumption of one acquired persistent session. Owned by the event loop that owns the session.
 *
 * <p>States: awaiting the bucket (its log is being applied to the queues) → writing the record → registering, repeated from the start,
 * without the record, when the queues have rolled back → resumed; or rolled back from each.
 */
final class ResumedSession {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final PersistentSession session;
    private final OpenRequest request;
    private final StoreRequests requests;
    private final RegistrarServices services;
    // While the log of the client's bucket is being applied.
    private @Nullable Hold bucketHold;
    // The position of the queues when the log was applied. This node may release the bucket, and forget the position,
    // before
    // the registration is answered.
    private @Nullable BucketPosition applied;
    private @Nullable Registration registration;
    // The record before it was changed to connected.
    private @Nullable SessionRecord recordBefore;

    ResumedSession(PersistentSession session, OpenRequest request, StoreRequests requests, RegistrarServices services) {
        this.session = session;
        this.request = request;
        this.requests = requests;
        this.services = services;
    }

    /**
     * Resumes the session.
     *
     * @param resumed receives the session when its record is durable, so that its will is stored [MQTT-3.1.2-8], and its queue registered
     * @param noRoom runs when there is no room to publish the will of the previous connection, which is due
     */
    void start(Consumer<OpenOutcome.Opened> resumed, Runnable noRoom) {
        if (!requests.hasEnded()) {
            bucketHold = services.feeds()
                    .positions()
                    .whenApplied(
                            session.bucket(),
                            () -> onApplied(resumed, noRoom),
                            () -> requests.eventLoop().execute(this::onBucketReleased));
        }
    }

    private void onApplied(Consumer<OpenOutcome.Opened> resumed, Runnable noRoom) {
        BucketPosition position = services.feeds().positions().lastPosition(session.bucket());
        requests.eventLoop().execute(() -> {
            if (position == null) {
                // It has just been released.
                onBucketReleased();
            } else {
                applied = position;
                write(resumed, noRoom);
            }
        });
    }

    private void onBucketReleased() {
        bucketHold = null;
        requests.fail(new StoreUnavailableException("another node holds bucket " + session.bucket() + " now", null));
    }

    /** A description of the bucket while the resumption waits for it, or null. */
    @Nullable
    String awaitedBucket() {
        return bucketHold == null ? null : services.feeds().positions().describe(session.bucket());
    }

    private void write(Consumer<OpenOutcome.Opened> resumed, Runnable noRoom) {
        bucketHold = null;
        if (requests.hasEnded()) {
            return;
        }
        if (recordBefore != null) {
            // The queues had rolled back; the record is durable.
            register(resumed, noRoom);
            return;
        }
        if (!services.wills().publishOverdue(session)) {
            noRoom.run();
            return;
        }
        PersistentSessions all = services.persistent();
        RecordChange change = all.connected(
                session,
                request.expirySeconds(),
                request.identity().userName(),
                request.node(),
                all.epochs().next(),
                request.will());
        recordBefore = change.before();
        requests.onAnswer(change.written(), _ -> register(resumed, noRoom));
    }

    private void register(Consumer<OpenOutcome.Opened> resumed, Runnable noRoom) {
        PersistentSessions all = services.persistent();
        requests.onAnswer(
                services.register(session, requireNonNull(recordBefore).epoch()), registered -> {
                    registration = registered;
                    all.epochs().onSeen(registered.epoch());
                    if (services.feeds().rollbackDetector().detect(session.bucket(), applied, registered.position())) {
                        // The answer may be outdated: without a lost QoS 2 marker a message would be sent twice.
                        requests.eventLoop().schedule(PAUSE, () -> start(resumed, noRoom));
                    } else if (registered.epoch() != session.record().epoch()) {
                        requests.fail(NewSession.laterRegistration());
                    } else {
                        resumed.accept(new OpenOutcome.Opened(
                                session.generation(),
                                registered,
                                requireNonNull(recordBefore),
                                session.queueDrop() != null));
                    }
                });
    }

    /** Stops waiting for the bucket. */
    void stopWaiting() {
        if (bucketHold != null) {
            bucketHold.cancel();
        }
    }

    /** Releases the session as it was before, because the client is refused or has lost its connection. */
    void rollBack() {
        PersistentSessions all = services.persistent();
        SessionRecord unchanged = recordBefore;
        if (unchanged == null) {
            all.release(session);
        } else {
            all.connectFailed(session, unchanged);
        }
        Registration registered = registration;
        if (registered != null && registered.epoch() == session.record().epoch()) {
            all.unregister(session, registered.epoch(), registered.sentUpTo());
        }
    }
}
