/**
 * The script {@code perf-tests/scenario} against the built broker.
 *
 * <p>Not here: figures; the loads are far too short for any.
 */
@NullMarked
package io.heddle.perf.scenario;

import org.jspecify.annotations.NullMarked;
