package io.heddle.app.settings;

import io.heddle.core.retained.RetainedLimits;
import io.heddle.persistence.SettingRule;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of retained messages. A message that exceeds a limit is delivered, but not retained, and counted.
 *
 * @param maximumMessages maximum number of topics with a retained message
 * @param maximumBytes estimated memory of all retained messages; 0B means an eighth of the heap
 * @param maximumPayload maximum payload of a retained message
 * @param maximumMessagesPerClient maximum number of topics to which one client was the first to publish a retained message; 0 means half of
 *     heddle.retained.maximum-messages
 */
public record RetainedSettings(
        @DefaultValue("1000000") int maximumMessages,
        @DefaultValue("0B") DataSize maximumBytes,
        @DefaultValue("2MB") DataSize maximumPayload,
        @DefaultValue("0") int maximumMessagesPerClient) {
    public RetainedSettings {
        SettingRule.between("heddle.retained.maximum-messages", maximumMessages, 1, Integer.MAX_VALUE);
        ByteLimit.between("heddle.retained.maximum-bytes", maximumBytes, DataSize.ofBytes(0), DataSize.ofTerabytes(1));
        ByteLimit.between(
                "heddle.retained.maximum-payload", maximumPayload, DataSize.ofBytes(1), DataSize.ofMegabytes(256));
        if (maximumBytes.toBytes() > 0) {
            ByteLimit.atLeast(
                    "heddle.retained.maximum-bytes", maximumBytes, "heddle.retained.maximum-payload", maximumPayload);
        }
        SettingRule.between(
                "heddle.retained.maximum-messages-per-client", maximumMessagesPerClient, 0, Integer.MAX_VALUE);
    }

    public RetainedLimits toRetainedLimits() {
        return new RetainedLimits(
                maximumMessages,
                bytes(),
                Math.toIntExact(maximumPayload.toBytes()),
                maximumMessagesPerClient == 0 ? Math.max(1, maximumMessages / 2) : maximumMessagesPerClient);
    }

    private long bytes() {
        return Math.max(HeapShare.RETAINED.bytes(maximumBytes), maximumPayload.toBytes());
    }
}
