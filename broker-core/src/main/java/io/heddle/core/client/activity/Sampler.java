package io.heddle.core.client.activity;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Chooses a random sample of the events of an event loop: all of them as long as they are few, and then one in 2, 4, 8 and so on, so that about
 * {@value #PER_SECOND} a second are chosen. The distances are random, because events often come in the same order again and again. An event that
 * is not chosen costs one comparison and one decrement; it reads no clock. The timer of the sampler runs only while not all events are
 * chosen. Owned by the event loop.
 */
@HotPath
final class Sampler {
    /** The number of chosen events a second above which fewer are chosen. */
    static final int PER_SECOND = 1_000;

    private static final Duration ADJUSTED_EVERY = Duration.ofSeconds(1);
    private static final long BURST_NANOS = 2_000_000_000L;
    private static final int MAXIMUM_STRIDE = 1 << 20;

    private final EventLoop loop;
    private final SplittableRandom random;
    private int skipped;
    private int stride = 1;
    // The stride with which the distance to the next chosen event was drawn.
    private int weight = 1;
    private int chosen;
    private long chosenSinceNanos;
    // Since the latest adjustment.
    private long events;
    private boolean isAdjusting;

    Sampler(EventLoop loop, long seed) {
        this.loop = loop;
        this.chosenSinceNanos = loop.nanoTime();
        this.random = new SplittableRandom(seed);
    }

    /** Returns how many events this one stands for, or 0 if it is not chosen. */
    int next() {
        if (skipped > 0) {
            skipped--;
            return 0;
        }
        return choose();
    }

    private int choose() {
        int stands = weight;
        events += stands;
        chosen++;
        if (chosen > 2 * PER_SECOND) {
            onMany();
        }
        weight = stride;
        skipped = stride == 1 ? 0 : random.nextInt(2 * stride - 1);
        return stands;
    }

    /** A burst must not wait for the timer. */
    private void onMany() {
        long nanos = loop.nanoTime();
        boolean isBurst = nanos - chosenSinceNanos < BURST_NANOS;
        chosen = 0;
        chosenSinceNanos = nanos;
        if (isBurst && stride < MAXIMUM_STRIDE) {
            stride *= 2;
            if (!isAdjusting) {
                isAdjusting = true;
                var _ = loop.schedule(ADJUSTED_EVERY, this::adjust);
            }
        }
    }

    private void adjust() {
        int fitting = Math.clamp(Long.highestOneBit(Math.max(1, events / PER_SECOND)), 1, MAXIMUM_STRIDE);
        events = 0;
        chosen = 0;
        chosenSinceNanos = loop.nanoTime();
        if (fitting < stride) {
            stride = fitting;
            // The next event is rare now, and must not stand for many.
            weight = fitting;
            skipped = Math.min(skipped, 2 * fitting - 2);
        }
        isAdjusting = stride > 1;
        if (isAdjusting) {
            var _ = loop.schedule(ADJUSTED_EVERY, this::adjust);
        }
    }
}
