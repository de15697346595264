/** Tests of the nodes of {@code ./heddle --nodes}. Their processes are shell scripts. */
@NullMarked
package io.heddle.app.nodes;

import org.jspecify.annotations.NullMarked;
