package io.heddle.app.events;

import io.heddle.core.client.ClientEvents;
import io.heddle.core.lifecycle.Housekeeping;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.persistence.kafka.events.EventPublisher;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Publishes events from before clients connect until they are disconnected. Started and stopped by one thread at a time. */
public final class EventPublishing implements StartupPhase {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final EventSettings settings;
    private final ClientEvents events;
    private final Supplier<EventPublisher> opening;
    private @Nullable Started started;

    private record Started(EventPublisher publisher, Housekeeping thread) {}

    /** @param opening connects to Kafka; called if a kind of event is switched on */
    public EventPublishing(EventSettings settings, ClientEvents events, Supplier<EventPublisher> opening) {
        this.settings = settings;
        this.events = events;
        this.opening = opening;
    }

    @Override
    public String name() {
        return "the events of clients";
    }

    @Override
    public void start() {
        if (settings.kinds().isEmpty()) {
            return;
        }
        EventPublisher publisher = opening.get();
        Housekeeping thread = new Housekeeping("client-events", PAUSE, publisher::publishSuppressed);
        thread.start();
        started = new Started(publisher, thread);
        events.publish(publisher);
    }

    @Override
    public void stop() {
        Started stopped = started;
        started = null;
        if (stopped != null) {
            events.publish(null);
            stopped.thread().stop();
            stopped.publisher().close();
        }
    }
}
