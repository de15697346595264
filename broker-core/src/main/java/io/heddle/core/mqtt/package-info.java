/**
 * The protocol's words: quality of service, reason codes, topic names and topic filters, properties.
 *
 * <p>Immutable values that any thread may share. What the standard forbids in a topic is refused here, in one place, with the
 * reason code that answers it; limits that an operator sets are given as arguments. Bytes on the wire are not known here: they
 * belong to the transport's codec.
 */
@NullMarked
package io.heddle.core.mqtt;

import org.jspecify.annotations.NullMarked;
