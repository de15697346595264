/**
 * Messages as administrators see them: retained messages, messages that they publish, the logs of APPLICATION clients and the queues of DEVICE
 * clients. The methods block their callers, on virtual threads of requests, for a limited time; the state itself stays with its owners.
 */
@NullMarked
package io.heddle.core.operator.message;

import org.jspecify.annotations.NullMarked;
