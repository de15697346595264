package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.subscription.Room;
import io.heddle.core.subscription.Subscription;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a session holds, each part made with its first use: a session that only exists costs little. Belongs to the session's
 * event loop.
 */
@HotPath
final class SessionParts {
    private final ClientSession session;
    private final SessionServices services;
    private @Nullable Map<String, Subscription> subscriptions;
    private @Nullable OutboundMessages outbound;
    private @Nullable InboundQos2 inboundQos2;
    private @Nullable RetainedReplay retainedReplay;

    SessionParts(ClientSession session, SessionServices services) {
        this.session = session;
        this.services = services;
    }

    /** The subscriptions by their filters' text. */
    Map<String, Subscription> subscriptions() {
        Map<String, Subscription> own = subscriptions;
        if (own == null) {
            own = HashMap.newHashMap(1);
            subscriptions = own;
        }
        return own;
    }

    /** The QoS 1 and 2 messages on their way to the client. */
    OutboundMessages outbound() {
        OutboundMessages messages = outbound;
        if (messages == null) {
            messages = new OutboundMessages(
                    services.settings().queue(), session.memory(), services.clock(), services.metrics());
            outbound = messages;
            Conversation current = session.conversation();
            if (current != null) {
                messages.attach(current.connection(), current.newSendQuota());
            }
        }
        return messages;
    }

    /** Whether a message above QoS 0 would be sent at once. */
    boolean isIdle() {
        return outbound == null || outbound.isIdle();
    }

    /** How a message above QoS 0 would be taken. */
    Room room() {
        if (outbound != null) {
            return outbound.room();
        }
        Conversation current = session.conversation();
        return current == null || current.connection().isWritable() ? Room.FREE : Room.QUEUE;
    }

    InboundQos2 inboundQos2() {
        InboundQos2 received = inboundQos2;
        if (received == null) {
            received = new InboundQos2();
            inboundQos2 = received;
        }
        return received;
    }

    RetainedReplay retainedReplay() {
        RetainedReplay replay = retainedReplay;
        if (replay == null) {
            replay = new RetainedReplay(session);
            retainedReplay = replay;
        }
        return replay;
    }

    /** It, or null when there never was one. */
    @Nullable
    RetainedReplay madeRetainedReplay() {
        return retainedReplay;
    }

    // The steps of a session's life, for the parts that there are.

    /** The session belongs to this event loop now. */
    void enterLoop(EventLoop eventLoop) {
        if (outbound != null) {
            outbound.enterLoop(eventLoop);
        }
    }

    /** The session is about to belong to another event loop. */
    void leaveLoop() {
        if (outbound != null) {
            outbound.leaveLoop();
        }
    }

    /** CONNACK was sent: sends what the client has not acknowledged. */
    void resume(Conversation connected) {
        if (outbound != null) {
            outbound.attach(connected.connection(), connected.newSendQuota());
        }
        if (retainedReplay != null) {
            retainedReplay.resume();
        }
    }

    /** Sends what may be sent now. */
    void proceed() {
        if (outbound != null) {
            outbound.proceed();
        }
        if (retainedReplay != null) {
            retainedReplay.proceed();
        }
    }

    /** The client has gone. */
    void detach() {
        if (outbound != null) {
            outbound.detach();
        }
    }

    /** The client stays away for now: what its session holds must fit what absent clients may hold. */
    void fitAbsence() {
        if (outbound != null) {
            outbound.fitAbsence();
        }
    }

    /** The shared subscriptions learn that the client is connected now, or is not any more. */
    void connectionChanged() {
        if (subscriptions != null) {
            services.subscribeService().connectionChanged(session, subscriptions);
        }
    }

    /** The session is over: nothing is subscribed any more, and what was not delivered goes to others or is dropped. */
    void end() {
        if (subscriptions != null) {
            services.subscribeService().unsubscribeAll(session, subscriptions);
        }
        if (outbound != null) {
            outbound.end(new SharedRedelivery(services));
        }
    }
}
