package io.heddle.core.lifecycle;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.log.CountedLog;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.TracedLog;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.tracing.Tracing;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.session.persistent.SessionRegistry;
import org.jspecify.annotations.Nullable;

/**
 * The open stores of a broker. The message log must report its appends of bucket commands to the same bucket positions as the broker.
 *
 * @param clients the persistent sessions and their subscriptions
 * @param retained the retained messages, to which {@code messages} appends
 * @param applications the logs of APPLICATION clients, to which {@code messages} appends
 */
public record StorePorts(
        ClientLog clients,
        ChangeLog<TopicName, PublishMessage> retained,
        ChangeLog<ProgressKey, Progress> progress,
        MessageLog messages,
        BucketLog buckets,
        ApplicationLogs applications,
        DeviceQueues queues,
        SessionRegistry registry) {
    /** Returns the same stores, of which the ledger counts what is appended. */
    StorePorts countedBy(Ledger ledger) {
        return with(new CountedLog(messages, ledger));
    }

    /** Returns the same stores, whose appends are steps in the traces of messages, unless the parameter is null. */
    StorePorts tracedBy(@Nullable Tracing tracing) {
        return tracing == null ? this : with(new TracedLog(messages, tracing));
    }

    private StorePorts with(MessageLog log) {
        return new StorePorts(clients, retained, progress, log, buckets, applications, queues, registry);
    }
}
