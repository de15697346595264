/**
 * The broker's decisions, in plain Java: the JDK, slf4j, Micrometer and JSpecify, nothing else.
 *
 * <p>The packages below are layers; each may use only those before it: {@code mqtt < client < watchdog < backpressure < message < changelog < cluster
 * < link < quota < authentication < administration < authorization < subscription < retained < routing < delivery < publish < session <
 * lifecycle}. The packages below {@code session} have an order of their own. For an upward dependency, declare an interface in the lower
 * package and implement it in the higher one. The architecture tests enforce the order.
 *
 * <p>This package uses none of them. It holds the annotations that the architecture tests read, the exceptions with which a port reports a
 * failed store, {@link io.heddle.core.FailureLog}, {@link io.heddle.core.ChangedFiles} and {@link io.heddle.core.OwnerThread}.
 */
@NullMarked
package io.heddle.core;

import org.jspecify.annotations.NullMarked;
