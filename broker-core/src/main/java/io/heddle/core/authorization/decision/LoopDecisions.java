package io.heddle.core.authorization.decision;

import io.heddle.core.HotPath;
import io.heddle.core.authorization.Action;
import io.heddle.core.authorization.RuleSubject;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.QoS;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The sampled decisions of one event loop, which owns them. {@link RecentDecisions} describes the design.
 *
 * <p>Time is divided into windows of ten seconds, in which a client is sampled at least once. The number of the window is late by less than
 * {@value #DECISIONS_PER_READING} decisions, and by fewer after a short burst.
 */
@HotPath
public final class LoopDecisions {
    static final Duration WINDOW = Duration.ofSeconds(10);
    static final int DECISIONS_PER_READING = 16;

    /** A loop with less than a decision in this time can afford to read the clock for each. */
    private static final long BUSY_NANOS = Duration.ofMillis(1).toNanos();

    private static final long WINDOW_NANOS = WINDOW.toNanos();
    private static final int MAXIMUM_DOUBLINGS = 20;
    private static final int FIRST_PAUSE = 4;
    /** The allowed publishes of a client in a window that are all sampled: many devices publish to several topics once a second. */
    static final int FIRST_ALLOWED = 8;
    /** The denied requests of a client in a window that are all sampled: a device often sends its SUBSCRIBEs at once. */
    static final int FIRST_DENIED = 16;

    /** The part of the room that is for denied requests. */
    private static final int DENIED_SHARE = 4;

    private final EventLoop loop;
    private final SteadyClock clock;
    private final DecisionTable allowed;
    private final DecisionTable denied;
    private final SplittableRandom random;
    private final int allowedPerWindow;
    private final int deniedPerWindow;
    // Of the current window.
    private short window;
    private int allowedLeft;
    private int deniedLeft;
    // Of the clock.
    private int decisionsPerReading = 1;
    private int decisionsToReading;
    private long readNanos;

    LoopDecisions(EventLoop loop, SteadyClock clock, int maximum, long maximumBytes) {
        this.loop = loop;
        this.clock = clock;
        this.deniedPerWindow = maximum / DENIED_SHARE;
        this.denied = new DecisionTable(false, deniedPerWindow, maximumBytes / DENIED_SHARE);
        this.allowedPerWindow = maximum - deniedPerWindow;
        this.allowed = new DecisionTable(true, allowedPerWindow, maximumBytes - maximumBytes / DENIED_SHARE);
        this.allowedLeft = allowedPerWindow;
        this.deniedLeft = deniedPerWindow;
        this.readNanos = loop.nanoTime() - BUSY_NANOS;
        this.random = new SplittableRandom(loop.index());
    }

    /** Returns the loop that owns these samples. Any thread. */
    public EventLoop loop() {
        return loop;
    }

    /** Returns the number of the current window. Called for each decision. */
    short window() {
        if (--decisionsToReading < 0) {
            readClock();
        }
        return window;
    }

    private void readClock() {
        long now = loop.nanoTime();
        boolean isBusy = now - readNanos < decisionsPerReading * BUSY_NANOS;
        decisionsPerReading = isBusy ? Math.min(2 * decisionsPerReading, DECISIONS_PER_READING) : 1;
        decisionsToReading = decisionsPerReading - 1;
        readNanos = now;
        short present = (short) Math.floorDiv(now, WINDOW_NANOS);
        if (present != window) {
            window = present;
            allowedLeft = allowedPerWindow;
            deniedLeft = deniedPerWindow;
        }
    }

    /** Returns the number of allowed publishes of a client that are not sampled after one that is, the n-th behind the first in a window. */
    int pauseAfterAllowed(int n) {
        return pause(n - FIRST_ALLOWED + 1);
    }

    /** Returns the same for denied requests. */
    int pauseAfterDenied(int n) {
        return pause(n - FIRST_DENIED + 1);
    }

    private int pause(int n) {
        return n < 0 ? 0 : random.nextInt(FIRST_PAUSE << Math.min(n, MAXIMUM_DOUBLINGS));
    }

    /**
     * Half of the budget is only for the first publishes of clients, so that a few clients with many of them leave room for others.
     *
     * @param isFirst whether it is the first allowed publish of this connection in the window, or a will
     */
    void allowed(RuleSubject subject, String topic, QoS qos, boolean retain, boolean isFirst) {
        if (allowedLeft > (isFirst ? 0 : allowedPerWindow / 2)) {
            allowedLeft--;
            allowed.add(subject, Action.PUBLISH, topic, qos, retain, loop.nanoTime());
        }
    }

    /**
     * The same for a denied request.
     *
     * @param topic or topic filter
     * @param isFirst whether it is the first denied request of this connection in the window, or a will
     */
    void denied(RuleSubject subject, Action action, String topic, QoS qos, boolean retain, boolean isFirst) {
        if (deniedLeft > (isFirst ? 0 : deniedPerWindow / 2)) {
            deniedLeft--;
            denied.add(subject, action, topic, qos, retain, loop.nanoTime());
        }
    }

    /** Returns the samples that have not expired. They change later. On the loop. */
    public List<SampledDecision> samples() {
        loop.assertCurrent();
        List<SampledDecision> samples = new ArrayList<>();
        long now = loop.nanoTime();
        allowed.addTo(samples, now);
        denied.addTo(samples, now);
        return samples;
    }

    /** Returns a time of a sample in milliseconds since 1970. On the loop. */
    public long millis(long nanos) {
        return clock.millis() - Duration.ofNanos(loop.nanoTime() - nanos).toMillis();
    }
}
