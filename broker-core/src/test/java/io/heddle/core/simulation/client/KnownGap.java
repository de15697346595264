package io.heddle.core.simulation.client;

import java.util.Set;

/**
 * A promise that the present broker does not keep, so that the ledger excuses it. Remove a constant when its fault is mended. {@code
 * -Dheddle.test.strict=NAME} stops excusing it.
 */
enum KnownGap {
    /**
     * The process is killed after the append of a will and before the record of its session says so: the next process publishes the will
     * again. A transaction of both mends this.
     */
    WILL_PUBLISHED_TWICE;

    private static final Set<String> STRICT =
            Set.of(System.getProperty("heddle.test.strict", "").split(","));

    boolean isExcused() {
        return !STRICT.contains(name());
    }
}
