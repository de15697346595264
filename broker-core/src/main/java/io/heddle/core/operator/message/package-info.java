/**
 * Messages as administrators see and change them: retained messages, published ones, logs and queues.
 *
 * <p>Entry class: {@link io.heddle.core.operator.message.MessageAdministration}. Its methods block their callers, on virtual threads of
 * requests, for a limited time. The state stays with its owners: every change is a record in the log from which the state is rebuilt, and
 * is durable when it is answered. Clients and their sessions are in {@code operator.client}.
 */
@NullMarked
package io.heddle.core.operator.message;

import org.jspecify.annotations.NullMarked;
