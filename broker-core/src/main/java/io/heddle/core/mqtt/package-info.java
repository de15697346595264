/**
 * Vocabulary of the protocol: quality of service, reason codes, topic names and topic filters, properties.
 *
 * <p>Immutable values that any thread may share. Topic names and filters validate themselves and report the reason code of a
 * violation; limits set by the operator are passed as arguments. Encoding to bytes is the job of the transport's codec.
 */
@NullMarked
package io.heddle.core.mqtt;

import org.jspecify.annotations.NullMarked;
