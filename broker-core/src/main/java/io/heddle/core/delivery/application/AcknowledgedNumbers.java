package io.heddle.core.delivery.application;

import io.heddle.core.HotPath;
import io.heddle.core.delivery.application.Progress.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which numbers of a log are done with: all below one, and runs above it. Belongs to its feed's event loop. What is acknowledged in
 * order costs nothing; otherwise there is a run between any two numbers that are missing. Bound: the feed takes nothing more while
 * there are too many runs.
 */
@HotPath
final class AcknowledgedNumbers {
    private static final int INITIAL_RUNS = 4;

    private long lowest;
    // Sorted, and none touches the next.
    private long[] firsts = new long[INITIAL_RUNS];
    private long[] ends = new long[INITIAL_RUNS];
    private int count;

    AcknowledgedNumbers(Progress progress) {
        this.lowest = progress.lowest();
        List<Run> runs = progress.acknowledged();
        for (int i = 0; i < runs.size(); i++) {
            add(runs.get(i).first(), runs.get(i).end());
        }
    }

    /** The lowest number that is not done with. */
    long lowest() {
        return lowest;
    }

    /** How many runs there are above it. */
    int runCount() {
        return count;
    }

    /** The runs above the lowest. */
    List<Run> runs() {
        List<Run> runs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            runs.add(new Run(firsts[i], ends[i]));
        }
        return runs;
    }

    boolean contains(long number) {
        if (number < lowest) {
            return true;
        }
        int run = firstEndingAtOrAbove(number + 1);
        return run < count && firsts[run] <= number;
    }

    /** One more is done with. */
    void add(long number) {
        add(number, number + 1);
    }

    /** All from one number to before another are. */
    void add(long first, long end) {
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
            firsts = Arrays.copyOf(firsts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
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
