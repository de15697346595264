/**
 * What travels the cluster: a published message, free of any one connection's packet ids and aliases.
 *
 * <p>Enter at {@code PublishMessage}. Immutable; shared between event loops without copying, so whoever reads a payload does
 * not write to it. Not here: PUBLISH as one connection sees it, with packet id, DUP and topic alias, which is {@code
 * mqtt.packet}; and how a message is stored, which the persistence module decides.
 */
@NullMarked
package io.heddle.core.message;

import org.jspecify.annotations.NullMarked;
