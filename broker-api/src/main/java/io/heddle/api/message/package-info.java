/**
 * Messages in requests and answers, and what the resources of messages share.
 *
 * <p>Entry class: {@link io.heddle.api.message.MessageResponse}.
 *
 * <p>Runs on the virtual thread of the request. Text of requests is checked like that of packets, with the same limits. The resources that
 * list and change messages are in packages of their own.
 */
@NullMarked
package io.heddle.api.message;

import org.jspecify.annotations.NullMarked;
