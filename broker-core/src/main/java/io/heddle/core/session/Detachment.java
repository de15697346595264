package io.heddle.core.session;

import io.heddle.core.client.BackgroundWork;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.subscribe.SessionHandle;
import io.heddle.core.subscription.Subscription;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of a session off this node when its connection is lost. A bug in one step is reported, and the others follow: the client's next
 * connection waits for them. Owned by the event loop of the session.
 *
 * @param ending ends the session after this work, or now if there is none
 */
record Detachment(SessionHandle session, Consumer<@Nullable BackgroundWork> ending, SessionServices services) {
    private static final CompletionStage<Void> NOTHING_TO_WAIT_FOR = CompletableFuture.completedStage(null);

    /** Ends the connection; completes when the outcome of the client's publishes is known. */
    CompletionStage<Void> release(Supplier<@Nullable CompletionStage<Void>> connection) {
        CompletionStage<Void> published = orNull(connection);
        return published == null ? NOTHING_TO_WAIT_FOR : published;
    }

    /** Returns the will, or null if the rules deny it, which may have changed since CONNECT. */
    private @Nullable WillMessage allowed(@Nullable WillMessage will) {
        if (will == null || session.rules().mayStillPublish(will.topic(), will.qos(), will.retain())) {
            return will;
        }
        services.metrics().willsDenied.increment();
        services.metrics().incidents().willDenied(will.topic().value(), session.clientId());
        return null;
    }

    /** The session ends with its connection. Completes when the end of the connection is durable. */
    CompletionStage<Void> ofTransient(@Nullable WillMessage will, CompletionStage<Void> published) {
        WillMessage due = allowed(will);
        BackgroundWork rest = orNull(this::removeSubscriptions);
        CompletionStage<Void> willPublished = due == null
                ? null
                : orNull(() -> services.wills().publish(session.clientId(), due, session.eventLoop()));
        long number = session.epoch();
        if (number != 0) {
            published
                    .thenCompose(_ -> willPublished == null ? NOTHING_TO_WAIT_FOR : willPublished)
                    .thenRun(() -> services.registrar().leave(Departure.ofTransient(session.clientId(), number)));
        }
        ending.accept(rest == null ? null : () -> Boolean.TRUE.equals(orNull(rest::step)));
        return NOTHING_TO_WAIT_FOR;
    }

    /** Returns the rest of the work, or null if there is none. */
    private @Nullable BackgroundWork removeSubscriptions() {
        Map<String, Subscription> own = session.subscriptions().transientSubscriptions();
        BackgroundWork removal =
                own == null ? null : services.subscribeService().unsubscribeAll(session, own);
        session.outbox().end();
        return removal != null && removal.step() ? removal : null;
    }

    /** The session outlives its connection, unless its expiry is 0. Completes when the end of the connection is durable. */
    CompletionStage<Void> ofPersistent(
            HeldSession held, @Nullable WillMessage will, long expirySeconds, CompletionStage<Void> published) {
        WillMessage due = allowed(will);
        Long sentUpTo = orNull(() -> {
            held.detach();
            session.subscriptions().disconnect(held.session());
            return session.outbox().disconnect();
        });
        CompletionStage<Void> written = sentUpTo == null
                ? held.leave(SessionRegistry.UNKNOWN, expirySeconds, due, published)
                : held.leave(
                        sentUpTo,
                        expirySeconds,
                        due,
                        published.thenCompose(_ -> session.outbox().whenPassedOn()));
        ending.accept(null);
        return written;
    }

    private <T> @Nullable T orNull(Supplier<@Nullable T> step) {
        try {
            return step.get();
        } catch (RuntimeException fault) {
            session.onFault(fault);
            return null;
        }
    }
}
