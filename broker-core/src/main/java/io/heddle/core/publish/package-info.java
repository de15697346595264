/**
 * Accepts a publication, whether a client's PUBLISH or a will.
 *
 * <p>Entry class: {@link io.heddle.core.publish.PublishService}, called on the publisher's event loop: may it, and where to. Counts what
 * comes in, what nobody wanted and what was refused. Packet ids and aliases are not known here.
 */
@NullMarked
package io.heddle.core.publish;

import org.jspecify.annotations.NullMarked;
