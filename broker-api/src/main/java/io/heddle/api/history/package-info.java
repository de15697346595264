/** The figures of the nodes during the last hour or day. */
@NullMarked
package io.heddle.api.history;

import org.jspecify.annotations.NullMarked;
