/**
 * jcstress tests of what event loops share without locks: the subscription trie and the groups of shared subscriptions.
 *
 * <p>Entry classes: those that end in {@code Stress}; each says which outcomes are right, and jcstress interleaves the threads
 * millions of times on code that is interpreted and compiled in every way. They run by the command in perf-tests/README.md, not
 * with every build; the same promises are kept by a quick test in broker-core that does. jcstress is licensed under the GPL, version
 * 2, with the class path exception: it is a tool here and never shipped.
 */
@NullMarked
package io.heddle.perf.jcstress;

import org.jspecify.annotations.NullMarked;
