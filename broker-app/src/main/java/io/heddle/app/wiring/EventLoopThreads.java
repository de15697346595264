package io.heddle.app.wiring;

import io.heddle.app.settings.MqttSettings;
import io.heddle.core.client.EventLoop;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.transport.listener.EventLoops;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The event loops, which start before the sessions that use them and stop after these. Started and stopped by one thread at a time; any
 * thread may read them.
 */
final class EventLoopThreads implements StartupPhase {
    private final MqttSettings settings;
    private volatile @Nullable EventLoops running;

    EventLoopThreads(MqttSettings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return "the event loops";
    }

    @Override
    public void start() {
        try {
            running = new EventLoops(settings.transport(), settings.eventLoopThreads());
        } catch (IllegalArgumentException e) {
            throw settings.missingTransport(e);
        }
    }

    /** Returns the loops; only while they run. */
    EventLoops loops() {
        EventLoops loops = running;
        if (loops == null) {
            throw new IllegalStateException("the event loops are not running");
        }
        return loops;
    }

    /** Returns all loops, each at its index; only while they run. */
    List<EventLoop> all() {
        return List.copyOf(loops().all());
    }

    @Override
    public void stop() {
        EventLoops loops = running;
        running = null;
        if (loops != null) {
            loops.close();
        }
    }
}
