/**
 * The figures of this node during the last day, in memory.
 *
 * <p>Entry: {@link io.heddle.core.sys.history.History}, which one thread records and any thread reads. Bound: 360 values of each figure for the
 * last hour, and 1,440 for the last day; one figure for each reason of dropped messages. Lost at a restart; Prometheus keeps more.
 */
@NullMarked
package io.heddle.core.sys.history;

import org.jspecify.annotations.NullMarked;
