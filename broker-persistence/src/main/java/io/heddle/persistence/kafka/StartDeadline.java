package io.heddle.persistence.kafka;

import io.heddle.core.lifecycle.StartupPhase;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deadline of the steps by which a start prepares Kafka: the connect timeout after the latest step that Kafka has completed, so that a
 * start on a slow machine does not fail. It is never later than {@link #LONGEST} after the beginning, because two answers can contradict
 * each other for ever. Belongs to the starting thread.
 */
public final class StartDeadline {
    static final Duration LONGEST = Duration.ofMinutes(5);

    private static final Logger log = LoggerFactory.getLogger(StartDeadline.class);

    private final Duration silence;
    private final LongSupplier nanoTime;
    private final long beginNanos;
    private long progressNanos;
    private boolean reported;

    private StartDeadline(Duration silence, LongSupplier nanoTime) {
        this.silence = silence;
        this.nanoTime = nanoTime;
        this.beginNanos = nanoTime.getAsLong();
        this.progressNanos = beginNanos;
    }

    /**
     * @param silence the longest time without progress
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public static StartDeadline after(Duration silence, LongSupplier nanoTime) {
        return new StartDeadline(silence, nanoTime);
    }

    public boolean isOver() {
        return remainingNanos() <= 0;
    }

    /** Returns the time left, negative after the deadline. */
    public long remainingNanos() {
        long now = nanoTime.getAsLong();
        long longest = Math.max(LONGEST.toNanos(), silence.toNanos());
        return Math.min(silence.toNanos() - (now - progressNanos), longest - (now - beginNanos));
    }

    /**
     * Kafka has completed a step. The first one after the connect timeout is reported, also on the terminal.
     *
     * @param step what is complete, such as the name of a topic
     */
    public void onProgress(String step) {
        progressNanos = nanoTime.getAsLong();
        long elapsed = progressNanos - beginNanos;
        if (!reported && elapsed > silence.toNanos()) {
            reported = true;
            log.warn(
                    StartupPhase.WAITING,
                    "Kafka is slow; the start waits as long as Kafka makes progress, at most {} s: seconds={}, completed={}",
                    LONGEST.toSeconds(),
                    Duration.ofNanos(elapsed).toSeconds(),
                    step);
        }
    }
}
