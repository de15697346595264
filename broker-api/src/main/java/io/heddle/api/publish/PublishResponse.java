package io.heddle.api.publish;

import io.heddle.core.mqtt.ReasonCode;

/**
 * A message that was published.
 *
 * @param recipients the number of sessions whose subscriptions matched, each shared subscription counting as one; on other nodes, those that
 *     get the message over a link count once for each node
 * @param reasonCode as in PUBACK
 * @param reason the name of the reason code
 */
record PublishResponse(int recipients, int reasonCode, String reason) {
    static PublishResponse to(int recipients) {
        ReasonCode reason = recipients == 0 ? ReasonCode.NO_MATCHING_SUBSCRIBERS : ReasonCode.SUCCESS;
        return new PublishResponse(recipients, reason.code(), reason.name());
    }
}
