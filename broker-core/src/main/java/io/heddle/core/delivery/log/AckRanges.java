package io.heddle.core.delivery.log;

import io.heddle.core.HotPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which numbers of a queue or a log are done with: all below one, and runs above it. Belongs to its feed's event loop. What is
 * acknowledged in order costs nothing; otherwise there is a run between any two numbers that are missing. Bound: the feed takes nothing
 * more while there are too many runs.
 */
@HotPath
public final class AckRanges {
    private static final int INITIAL_RUNS = 4;
    private static final long[] NO_RUNS = {};

    private long lowest;
    // Sorted, and none touches the next.
    private long[] firsts = NO_RUNS;
    private long[] ends = NO_RUNS;
    private int count;

    /**
     * Of a session that has come so far.
     *
     * @param lowest all below this number are done with
     * @param runs so are these above it
     */
    public AckRanges(long lowest, List<SequenceRange> runs) {
        this.lowest = lowest;
        for (int i = 0; i < runs.size(); i++) {
            add(runs.get(i).first(), runs.get(i).end());
        }
    }

    /** The lowest number that is not done with. */
    public long lowest() {
        return lowest;
    }

    /** How many runs there are above it. */
    public int runCount() {
        return count;
    }

    /** The runs above the lowest. */
    public List<SequenceRange> runs() {
        List<SequenceRange> runs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            runs.add(new SequenceRange(firsts[i], ends[i]));
        }
        return runs;
    }

    /** Whether a number is done with. */
    public boolean contains(long number) {
        if (number < lowest) {
            return true;
        }
        int run = firstEndingAtOrAbove(number + 1);
        return run < count && firsts[run] <= number;
    }

    /** One more is done with. */
    public void add(long number) {
        add(number, number + 1);
    }

    /** All from one number to before another are. */
    public void add(long first, long end) {
        if (first <= lowest) {
            lowest = Math.max(lowest, end);
            moveOn();
            return;
        }
        int run = firstEndingAtOrAbove(first);
        int behind = run;
        long mergedFirst = first;
        long mergedEnd = end;
        while (behind < count && firsts[behind] <= end) {
            mergedFirst = Math.min(mergedFirst, firsts[behind]);
            mergedEnd = Math.max(mergedEnd, ends[behind]);
            behind++;
        }
        replace(run, behind, mergedFirst, mergedEnd);
    }

    private int firstEndingAtOrAbove(long number) {
        int found = Arrays.binarySearch(ends, 0, count, number);
        return found >= 0 ? found : -found - 1;
    }

    /** Puts one run in the place of several, or between two when there are none. */
    private void replace(int from, int behind, long first, long end) {
        int change = 1 - (behind - from);
        if (count + change > firsts.length) {
            firsts = Arrays.copyOf(firsts, Math.max(INITIAL_RUNS, 2 * count));
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

    private void moveOn() {
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
