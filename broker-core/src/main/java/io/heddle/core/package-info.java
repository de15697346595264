/**
 * What the broker decides. Plain Java: the JDK, slf4j, Micrometer and JSpecify, nothing else.
 *
 * <p>The packages below are a staircase, each may use only those before it: {@code mqtt < client < message < cluster < quota <
 * administration < authentication < authorization < subscription < retained < routing < delivery < publish < session <
 * lifecycle}. If something seems to need an upward arrow, declare the interface below and implement it above; the
 * architecture tests check it. This package itself holds only what all of them may use, and uses none of them: the marks that
 * the tests read, the exception by which a port says that its store cannot answer, and how that is written down.
 */
@NullMarked
package io.heddle.core;

import org.jspecify.annotations.NullMarked;
