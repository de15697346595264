package io.heddle.core.sys.history;

import java.util.Arrays;

/** The values of a figure during the last hour and day. Not thread-safe. */
final class Series {
    private static final int STEPS_PER_MINUTE = (int) Range.DAY.step().dividedBy(Range.HOUR.step());

    private final float[] hour = new float[Range.HOUR.length()];
    private final float[] day = new float[Range.DAY.length()];

    Series() {
        Arrays.fill(hour, Float.NaN);
        Arrays.fill(day, Float.NaN);
    }

    /** @param step the number of the ten seconds since 1970 */
    void put(long step, float value) {
        hour[place(step, hour)] = value;
        if (step % STEPS_PER_MINUTE == STEPS_PER_MINUTE - 1) {
            day[place(step / STEPS_PER_MINUTE, day)] = meanOfMinute(step);
        }
    }

    private float meanOfMinute(long lastStep) {
        float sum = 0;
        int count = 0;
        for (long step = lastStep - STEPS_PER_MINUTE + 1; step <= lastStep; step++) {
            float value = hour[place(step, hour)];
            if (!Float.isNaN(value)) {
                sum += value;
                count++;
            }
        }
        return count == 0 ? Float.NaN : sum / count;
    }

    private static int place(long number, float[] ring) {
        return (int) Math.floorMod(number, (long) ring.length);
    }

    /**
     * Returns the values in the order of time.
     *
     * @param last the number of the last one: of the ten seconds or minutes since 1970
     */
    float[] values(Range range, long last) {
        float[] ring = range == Range.HOUR ? hour : day;
        float[] values = new float[ring.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = ring[place(last - values.length + 1 + i, ring)];
        }
        return values;
    }
}
