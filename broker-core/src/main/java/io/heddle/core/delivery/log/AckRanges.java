package io.heddle.core.delivery.log;

import io.heddle.core.HotPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The acknowledged sequence numbers of a queue or a log: everything below the lowest unacknowledged one, and ranges above it. Belongs to the
 * event loop of its feed. Acknowledgements in order take no memory; each gap adds one range. Bound: the feed takes no message while there
 * are too many ranges.
 */
@HotPath
public final class AckRanges {
    private static final int INITIAL_RANGES = 4;
    private static final long[] NO_RANGES = {};

    private long lowest;
    // Sorted, disjoint and not adjacent.
    private long[] firsts = NO_RANGES;
    private long[] ends = NO_RANGES;
    private int count;

    /**
     * @param lowest everything below this sequence number is acknowledged
     * @param ranges acknowledged above it
     */
    public AckRanges(long lowest, List<SequenceRange> ranges) {
        this.lowest = lowest;
        for (int i = 0; i < ranges.size(); i++) {
            add(ranges.get(i).first(), ranges.get(i).end());
        }
    }

    /** The lowest sequence number that is not acknowledged. */
    public long lowest() {
        return lowest;
    }

    /** The number of ranges above {@link #lowest}. */
    public int rangeCount() {
        return count;
    }

    /** The acknowledged ranges above {@link #lowest}, in ascending order. */
    public List<SequenceRange> ranges() {
        List<SequenceRange> ranges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ranges.add(new SequenceRange(firsts[i], ends[i]));
        }
        return ranges;
    }

    public boolean contains(long sequence) {
        if (sequence < lowest) {
            return true;
        }
        int range = firstEndingAtOrAbove(sequence + 1);
        return range < count && firsts[range] <= sequence;
    }

    public void add(long sequence) {
        add(sequence, sequence + 1);
    }

    /** Acknowledges a range, of which {@code end} is exclusive. */
    public void add(long first, long end) {
        if (first <= lowest) {
            lowest = Math.max(lowest, end);
            absorb();
            return;
        }
        int range = firstEndingAtOrAbove(first);
        int behind = range;
        long mergedFirst = first;
        long mergedEnd = end;
        while (behind < count && firsts[behind] <= end) {
            mergedFirst = Math.min(mergedFirst, firsts[behind]);
            mergedEnd = Math.max(mergedEnd, ends[behind]);
            behind++;
        }
        replace(range, behind, mergedFirst, mergedEnd);
    }

    private int firstEndingAtOrAbove(long sequence) {
        int found = Arrays.binarySearch(ends, 0, count, sequence);
        return found >= 0 ? found : -found - 1;
    }

    /** Replaces several ranges by one, or inserts it when {@code from} equals {@code behind}. */
    private void replace(int from, int behind, long first, long end) {
        int change = 1 - (behind - from);
        if (count + change > firsts.length) {
            firsts = Arrays.copyOf(firsts, Math.max(INITIAL_RANGES, 2 * count));
            ends = Arrays.copyOf(ends, firsts.length);
        }
        if (change != 0) {
            System.arraycopy(firsts, behind, firsts, behind + change, count - behind);
            System.arraycopy(ends, behind, ends, behind + change, count - behind);
            count += change;
        }
        firsts[from] = first;
        ends[from] = end;
    }

    /** Removes the ranges that {@link #lowest} has reached. */
    private void absorb() {
        int passed = 0;
        while (passed < count && firsts[passed] <= lowest) {
            lowest = Math.max(lowest, ends[passed]);
            passed++;
        }
        if (passed > 0) {
            count -= passed;
            System.arraycopy(firsts, passed, firsts, 0, count);
            System.arraycopy(ends, passed, ends, 0, count);
        }
    }
}
