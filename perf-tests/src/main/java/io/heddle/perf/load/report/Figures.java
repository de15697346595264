package io.heddle.perf.load.report;

import java.util.LinkedHashMap;
import java.util.Map;

/** The figures of one run, in display order. */
public final class Figures {
    /** A figure's name and its unit, which may be empty. */
    public record Name(String text, String unit) {
        /** Returns, for example, {@code "cpu broker [µs/delivery]"}. */
        @Override
        public String toString() {
            return unit.isEmpty() ? text : text + " [" + unit + "]";
        }
    }

    private final Map<Name, Double> values = new LinkedHashMap<>();

    public void put(String name, String unit, double value) {
        values.put(new Name(name, unit), value);
    }

    public Map<Name, Double> values() {
        return values;
    }
}
