/**
 * Sends the traces of sampled messages to a collector of OpenTelemetry, as OTLP over HTTP.
 *
 * <p>Entry class: {@link io.heddle.app.tracing.MessageTracing}, which creates nothing unless an endpoint is set. Spans end on event loops and on
 * threads of the log; a thread of OpenTelemetry sends them. Invariants: no thread of the broker waits for the collector; a span that the
 * collector does not get is counted with the reason. Core decides which messages are traced; only this package uses OpenTelemetry.
 */
@NullMarked
package io.heddle.app.tracing;

import org.jspecify.annotations.NullMarked;
