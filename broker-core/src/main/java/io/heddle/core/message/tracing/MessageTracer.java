package io.heddle.core.message.tracing;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import org.jspecify.annotations.Nullable;

/** Records the steps of traced messages. Implemented by the application. Thread-safe; never blocks. */
public interface MessageTracer {
    /** A step of a message. */
    enum Step {
        /** From the arrival of a PUBLISH until PUBACK or PUBREC is sent; at QoS 0, until the message is routed. */
        PUBLISH,
        /** Until the logs have stored the message. */
        APPEND,
        /** From the sending of a copy until PUBACK or PUBCOMP has come; at QoS 0, until it is handed to the connection. */
        DELIVER
    }

    /**
     * Begins a step now.
     *
     * @param parent the cause; null if the step begins a trace
     * @param client the publisher or, of a copy, its recipient
     * @param qos of the message or of the copy
     */
    MessageSpan begin(
            Step step, @Nullable TraceContext parent, ClientId client, TopicName topic, QoS qos, int payloadBytes);
}
