/** Tests of the search for refusals, over links in memory. */
@NullMarked
package io.heddle.core.operator.refusal;

import org.jspecify.annotations.NullMarked;
