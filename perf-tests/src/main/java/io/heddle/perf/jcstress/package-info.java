/**
 * jcstress tests of structures that event loops share without locks: the subscription trie and the groups of shared subscriptions.
 *
 * <p>Entry classes: those that end in {@code Stress}; each declares the acceptable outcomes, and jcstress interleaves the threads millions
 * of times in interpreted and compiled code. They run by the command in perf-tests/README.md, not with every build; a quick test of the
 * same guarantees in broker-core does. jcstress is licensed under the GPL, version 2, with the class path exception: it is a tool here and
 * never shipped.
 */
@NullMarked
package io.heddle.perf.jcstress;

import org.jspecify.annotations.NullMarked;
