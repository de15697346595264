package io.heddle.app.settings;

import io.heddle.core.delivery.bucket.LagBounds;
import io.heddle.core.delivery.bucket.TruncationLimits;
import io.heddle.persistence.SettingRule;
import io.heddle.persistence.kafka.KafkaSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Buckets: the partitions of DEVICE clients, their log and their queues.
 *
 * @param count number of buckets, chosen at the first start of the cluster and then fixed; 16 in the profile "standalone"
 * @param replayWindow how long the logs of the buckets keep records that are already applied to Redis. After a restart or failover, a Redis
 *     that lost data is rebuilt from them; shorter while maximum-bytes or minimum-free leave no room
 * @param minimumReplayWindow minimum of the replay window, even if there is no room: a Redis that crashes loses its last seconds
 * @param maximumBytes maximum size of the logs of all buckets together. Near it the oldest applied records are deleted; above it PUBLISH
 *     packets that must be stored are refused with reason code 0x97. At least 32MB for each bucket; 0B means a quarter of the disk in the
 *     profile "standalone", else 50GB
 * @param targetLag maximum age of the oldest message of a bucket that is not in its queue yet. While it is exceeded, or is going to be, and
 *     Redis responds, publishers to the bucket are acknowledged at the rate at which their messages reach the queues
 * @param maximumLagBytes maximum size of a bucket's log that is not in the queues yet before acknowledgements are delayed, also while Redis
 *     does not respond; above twice as much PUBLISH packets with QoS 1 or 2 are refused with reason code 0x97
 * @param readAhead maximum size of the records of all buckets that are read from the log but not in the queues yet; 0B means a
 *     thirty-second of the heap
 * @param acknowledgementInterval how often the acknowledgements of clients are written to the logs of the buckets. If Redis loses its
 *     queues, clients receive again the messages that they acknowledged since; 0s means never
 */
public record BucketSettings(
        @DefaultValue("64") int count,
        @DefaultValue("1h") Duration replayWindow,
        @DefaultValue("30s") Duration minimumReplayWindow,
        @DefaultValue("0B") DataSize maximumBytes,
        @DefaultValue("50ms") Duration targetLag,
        @DefaultValue("16MB") DataSize maximumLagBytes,
        @DefaultValue("0B") DataSize readAhead,
        @DefaultValue("5s") Duration acknowledgementInterval) {
    private static final int SHARE_OF_HEAP = 32;
    private static final int SHARE_OF_DISK = 4;

    public BucketSettings {
        SettingRule.between("heddle.buckets.replay-window", replayWindow, Duration.ofMinutes(1), Duration.ofDays(30));
        SettingRule.between(
                "heddle.buckets.minimum-replay-window", minimumReplayWindow, Duration.ofSeconds(5), replayWindow);
        SettingRule.between("heddle.buckets.target-lag", targetLag, Duration.ofMillis(1), Duration.ofHours(1));
        ByteLimit.between(
                "heddle.buckets.maximum-lag-bytes", maximumLagBytes, DataSize.ofKilobytes(64), DataSize.ofTerabytes(1));
        SettingRule.between(
                "heddle.buckets.acknowledgement-interval", acknowledgementInterval, Duration.ZERO, Duration.ofHours(1));
        ByteLimit.between("heddle.buckets.read-ahead", readAhead, DataSize.ofBytes(0), DataSize.ofTerabytes(1));
    }

    public long readAheadBytesOfABucket() {
        long all = readAhead.toBytes() == 0 ? Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP : readAhead.toBytes();
        return Math.max(1, all / count);
    }

    public LagBounds toLagBounds() {
        return new LagBounds(targetLag, maximumLagBytes.toBytes());
    }

    /** Returns whether the maximum size of the logs is a share of their disk. */
    public boolean isShareOfDisk() {
        return maximumBytes.toBytes() == 0;
    }

    /** Returns the maximum size of the logs on a disk of the given size. */
    public long shareOf(long diskBytes) {
        return Math.max(diskBytes / SHARE_OF_DISK, count * KafkaSettings.MINIMUM_BUCKET_BYTES);
    }

    /** Returns the maximum size of the logs. */
    public long logBytes() {
        return isShareOfDisk() ? KafkaSettings.DEFAULT_BUCKET_LOG_BYTES : maximumBytes.toBytes();
    }

    public TruncationLimits toTruncationLimits() {
        return new TruncationLimits(replayWindow, minimumReplayWindow);
    }
}
