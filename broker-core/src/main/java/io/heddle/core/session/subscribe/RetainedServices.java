package io.heddle.core.session.subscribe;

import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.quota.AppendAdmission;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.retained.RetainedReads;
import io.heddle.core.session.outbound.SessionMetrics;
import io.heddle.core.sys.SysTopics;

/**
 * The parts of a node that send retained messages to new subscriptions. Each of them is thread-safe.
 *
 * @param reads tells when {@code retained} has the messages that a new subscription must get
 * @param queueMessages the highest number of messages in a client's queue
 */
public record RetainedServices(
        RetainedMessages retained,
        SysTopics sys,
        RetainedReads reads,
        AppendAdmission admission,
        MessageLog log,
        BucketPositions positions,
        int queueMessages,
        SessionMetrics metrics) {}
