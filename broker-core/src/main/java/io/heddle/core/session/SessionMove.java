package io.heddle.core.session;

import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.subscription.DeliveryTerms;
import java.util.ArrayList;
import java.util.List;

/**
 * A session on its way from one event loop to that of its client's new connection. Belongs to the new loop.
 *
 * <p>Messages keep their order: a publisher that looked up the old loop hands its message there, from where it is passed on; one
 * that looks now hands it to the new loop, where it is held until everything from the old loop has arrived. That is so after
 * every loop of the node has ended the task in which it may have looked up the old one, and the old loop has then run what it
 * was handed. Bound: what comes within that moment.
 */
final class SessionMove {
    private final ClientSession session;
    private final SessionClaim claim;
    private final List<Runnable> held = new ArrayList<>();

    SessionMove(ClientSession session, SessionClaim claim) {
        this.session = session;
        this.claim = claim;
    }

    /** Begins the move. On the old loop, after the session was given to the new one. */
    void begin(EventLoop from) {
        from.executeAfterAll(() -> claim.eventLoop().execute(this::arrive));
    }

    private void arrive() {
        isolated(() -> session.moved(claim));
        for (Runnable delayed : held) {
            isolated(delayed);
        }
    }

    /** What strikes one of those who waited is not the fault of the others. */
    private void isolated(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException fault) {
            session.failed(fault);
        }
    }

    /** Delivers a message after the move, wherever the session is then: a claim held before may have moved it on. */
    void hold(PublishMessage message, DeliveryTerms terms) {
        held.add(() -> session.deliverLate(message, terms));
    }

    /** Answers another connection of the client after the move. */
    void hold(SessionClaim later) {
        held.add(() -> session.claim(later));
    }
}
