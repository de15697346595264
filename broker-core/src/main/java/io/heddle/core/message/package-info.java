/**
 * Published messages as they travel through the cluster, independent of the packet identifiers and aliases of a connection.
 *
 * <p>Entry class: {@code PublishMessage}. Immutable and shared between event loops without copying, so a payload must not be
 * modified. Elsewhere: PUBLISH on one connection, with packet identifier, DUP and topic alias ({@code mqtt.packet}), and the
 * stored format (persistence module).
 */
@NullMarked
package io.heddle.core.message;

import org.jspecify.annotations.NullMarked;
