package io.heddle.core.sys;

import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.client.ledger.LoopLedger;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.routing.LoopRecipients;
import io.heddle.core.routing.Router;
import io.heddle.core.routing.RoutingPlan;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends messages of the broker to the subscribers that are connected to this node, in the background of their event loops. Other nodes send
 * their own. Any thread. Bound: each event loop holds the recipients of one message; while an event loop has messages left, no others are
 * sent.
 */
public final class SysDelivery {
    private static final int RECIPIENTS_PER_STEP = 64;

    private final Router router;
    private final List<EventLoop> eventLoops;
    private final Ledger ledger;
    private final AtomicInteger busyLoops = new AtomicInteger();

    /** Sends to the sessions of these event loops. */
    public SysDelivery(Router router, List<EventLoop> eventLoops, Ledger ledger) {
        this.router = router;
        this.eventLoops = eventLoops;
        this.ledger = ledger;
    }

    /** Returns whether earlier messages are still being sent. */
    boolean isBusy() {
        return busyLoops.get() > 0;
    }

    void send(List<PublishMessage> messages) {
        if (messages.isEmpty()) {
            return;
        }
        for (EventLoop eventLoop : eventLoops) {
            busyLoops.incrementAndGet();
            eventLoop.execute(() -> eventLoop.inBackground(new OnLoop(eventLoop, messages)));
        }
    }

    /** The messages on their way to the sessions of one event loop, which owns this object. */
    private final class OnLoop implements BackgroundWork {
        private final EventLoop loop;
        private final List<PublishMessage> messages;
        private int nextMessage;
        private LocalSession[] sessions = {};
        private DeliveryTerms[] terms = {};
        private int nextSession;

        OnLoop(EventLoop loop, List<PublishMessage> messages) {
            this.loop = loop;
            this.messages = messages;
        }

        @Override
        public boolean step() {
            if (nextSession < sessions.length) {
                deliver(messages.get(nextMessage - 1));
                return true;
            }
            if (nextMessage < messages.size()) {
                route(messages.get(nextMessage++));
                return true;
            }
            busyLoops.decrementAndGet();
            return false;
        }

        private void route(PublishMessage message) {
            RoutingPlan plan = router.route(message);
            nextSession = 0;
            sessions = new LocalSession[0];
            for (int i = 0; i < plan.loopCount(); i++) {
                LoopRecipients recipients = plan.onLoop(i);
                if (recipients.eventLoop().index() == loop.index()) {
                    take(recipients);
                }
            }
        }

        private void take(LoopRecipients recipients) {
            sessions = new LocalSession[recipients.count()];
            terms = new DeliveryTerms[recipients.count()];
            for (int i = 0; i < sessions.length; i++) {
                sessions[i] = recipients.session(i);
                terms[i] = recipients.terms(i);
            }
        }

        private void deliver(PublishMessage message) {
            int end = Math.min(sessions.length, nextSession + RECIPIENTS_PER_STEP);
            LoopLedger own = ledger.of(loop);
            for (; nextSession < end; nextSession++) {
                LocalSession session = sessions[nextSession];
                // The client of a session that was subscribed may be another one now, at another address.
                if (session.isConnected() && session instanceof SysReader reader && reader.mayReadSys()) {
                    own.routed(1);
                    own.delivered(session.deliver(message, terms[nextSession]) ? 1 : 0);
                }
            }
        }
    }
}
