package io.heddle.app.settings;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.retained.RetainedLimits;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Retained messages. What exceeds a limit is delivered, but not retained, and counted.
 *
 * @param maximumMessages how many topics may have one
 * @param maximumBytes the memory of all of them, estimated
 * @param maximumPayload the largest payload of one
 * @param maximumMessagesPerClient on how many topics one client may be the first to leave one; 0 means no limit
 */
public record RetainedSettings(
        @DefaultValue("1000000") int maximumMessages,
        @DefaultValue("256MB") DataSize maximumBytes,
        @DefaultValue("1MB") DataSize maximumPayload,
        @DefaultValue("0") int maximumMessagesPerClient) {
    public RetainedSettings {
        if (maximumMessages < 1) {
            throw new StartupException(
                    "heddle.retained.maximum-messages is " + maximumMessages + ": set it to 1 or more", null);
        }
        if (maximumBytes.toBytes() < 1) {
            throw new StartupException(
                    "heddle.retained.maximum-bytes is " + maximumBytes + ": set it to 1MB or more", null);
        }
        long most = Math.min(maximumBytes.toBytes(), Integer.MAX_VALUE);
        if (maximumPayload.toBytes() < 1 || maximumPayload.toBytes() > most) {
            throw new StartupException(
                    "heddle.retained.maximum-payload is " + maximumPayload
                            + ": set it to 1B or more, and not above heddle.retained.maximum-bytes",
                    null);
        }
        if (maximumMessagesPerClient < 0) {
            throw new StartupException(
                    "heddle.retained.maximum-messages-per-client is " + maximumMessagesPerClient
                            + ": set it to 1 or more, or 0 for no limit",
                    null);
        }
    }

    /** What the retained messages take. */
    public RetainedLimits toRetainedLimits() {
        return new RetainedLimits(
                maximumMessages,
                maximumBytes.toBytes(),
                Math.toIntExact(maximumPayload.toBytes()),
                maximumMessagesPerClient);
    }
}
