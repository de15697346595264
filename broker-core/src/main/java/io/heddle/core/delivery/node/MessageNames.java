package io.heddle.core.delivery.node;

import io.heddle.core.HotPath;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.MessageName;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Names the QoS 2 messages that publishers send to this node, and remembers the names that this node has delivered to its subscribers whose
 * sessions end with their connections. So a message that is repeated at another node reaches each of them once. Thread-safe: one lock, held
 * for a step.
 *
 * <p>Bounds: the {@value #INCARNATIONS} incarnations whose names came last, and a bit for each of the last {@value #NUMBERS} numbers of an
 * event loop. Commits end in another order than that of their names, so the highest number alone would not do. Lower numbers count as
 * delivered.
 */
@HotPath
public final class MessageNames {
    static final int INCARNATIONS = 1_000;
    static final int NUMBERS = 1 << 14;

    private final Incarnation self;
    private final AtomicLongArray latest;
    // By incarnation and event loop, in the order of use. Guarded by this.
    private final Map<Incarnation, Map<Integer, Delivered>> delivered = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Incarnation, Map<Integer, Delivered>> eldest) {
            return size() > INCARNATIONS;
        }
    };

    /** @param eventLoops the number of event loops of this node */
    public MessageNames(Incarnation self, int eventLoops) {
        this.self = self;
        this.latest = new AtomicLongArray(eventLoops);
    }

    /** Returns the name of the next QoS 2 message that an event loop of this node receives. */
    public MessageName next(int eventLoop) {
        return new MessageName(self, eventLoop, latest.incrementAndGet(eventLoop));
    }

    /** Returns whether this node has not delivered the message yet. The caller then delivers it, and later calls return false. */
    public synchronized boolean claim(MessageName name) {
        return delivered
                .computeIfAbsent(name.node(), _ -> new HashMap<>())
                .computeIfAbsent(name.loop(), _ -> new Delivered())
                .add(name.number());
    }

    /** The delivered numbers of one event loop: a ring of bits that grows until it has {@link #NUMBERS}. */
    private static final class Delivered {
        private long[] bits = new long[1];
        private long highest;

        /** Adds a number; false if it is present or too low. */
        boolean add(long number) {
            if (number <= highest - NUMBERS) {
                return false;
            }
            growFor(number);
            // The places of skipped numbers still have the bits of an earlier round.
            for (long skipped = Math.max(highest + 1, number - NUMBERS + 1); skipped <= number; skipped++) {
                bits[word(skipped)] &= ~bit(skipped);
            }
            highest = Math.max(highest, number);
            boolean isNew = (bits[word(number)] & bit(number)) == 0;
            bits[word(number)] |= bit(number);
            return isNew;
        }

        private void growFor(long number) {
            while (bits.length < NUMBERS / Long.SIZE && number >= (long) bits.length * Long.SIZE) {
                bits = Arrays.copyOf(bits, bits.length * 2);
            }
        }

        private int word(long number) {
            return (int) (number / Long.SIZE) & (bits.length - 1);
        }

        private static long bit(long number) {
            return 1L << number;
        }
    }
}
