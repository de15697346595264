/**
 * Accepts or refuses the messages that clients publish, wills included.
 *
 * <p>Entry class: {@link io.heddle.core.publish.PublishService}, called by any thread. Counts received, unmatched and refused messages.
 * Packet identifiers and topic aliases are handled by {@code core.session}.
 */
@NullMarked
package io.heddle.core.publish;

import org.jspecify.annotations.NullMarked;
