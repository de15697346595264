package io.heddle.core.delivery.direct;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.routing.LoopRecipients;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;

/** Hands messages to sessions on their event loops. Any thread may call it. */
@HotPath
public final class DirectDelivery {
    /** Delivers to the recipients of one loop: at once when it is the caller's own, otherwise in one task on that loop. */
    public void deliver(PublishMessage message, LoopRecipients recipients) {
        if (recipients.eventLoop().isCurrent()) {
            for (int i = 0; i < recipients.count(); i++) {
                recipients.session(i).deliver(message, recipients.terms(i));
            }
        } else {
            recipients.eventLoop().execute(new Handover(message, recipients));
        }
    }

    /** The recipients of another loop, copied out of the plan, which its thread is about to reuse. */
    private static final class Handover implements Runnable {
        private final PublishMessage message;
        private final LocalSession[] sessions;
        private final DeliveryTerms[] terms;

        Handover(PublishMessage message, LoopRecipients recipients) {
            this.message = message;
            this.sessions = new LocalSession[recipients.count()];
            this.terms = new DeliveryTerms[recipients.count()];
            for (int i = 0; i < sessions.length; i++) {
                sessions[i] = recipients.session(i);
                terms[i] = recipients.terms(i);
            }
        }

        @Override
        public void run() {
            for (int i = 0; i < sessions.length; i++) {
                sessions[i].deliver(message, terms[i]);
            }
        }
    }
}
