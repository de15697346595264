/**
 * The figures of all nodes during the last hour or day.
 *
 * <p>Entry: {@link io.heddle.core.operator.history.HistorySearch}, which asks all nodes and merges their values by time. Each node records its own in
 * {@link io.heddle.core.sys.history.History}.
 */
@NullMarked
package io.heddle.core.operator.history;

import org.jspecify.annotations.NullMarked;
