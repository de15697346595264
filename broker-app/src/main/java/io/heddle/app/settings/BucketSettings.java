package io.heddle.app.settings;

import io.heddle.core.delivery.bucket.LagBounds;
import io.heddle.core.delivery.bucket.TruncationLimits;
import io.heddle.persistence.SettingRule;
import io.heddle.persistence.kafka.KafkaSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How device clients are spread.
 *
 * @param count the number of buckets, chosen at the cluster's first start and then fixed; 16 in the profile "standalone"
 * @param replayWindow how long the log keeps what the queues in Redis have: what a Redis has lost since it was restarted or failed over is
 *     read from there again; shorter while maximum-bytes or minimum-free leaves no room for that
 * @param minimumReplayWindow how long the log keeps that in any case: a Redis that crashes loses its last seconds
 * @param maximumBytes the size of the logs of all buckets together: near it the oldest records that Redis has applied are deleted, above it
 *     publications that must be stored are refused with reason code 0x97; at least 32MB for each bucket; 0B means a quarter of the disk in
 *     the profile "standalone", else 50GB
 * @param targetLag how old the oldest message of a bucket may become before it is in the queues; while it is older or will be, and Redis
 *     answers, publishers to the bucket are acknowledged at the pace at which their messages reach the queues
 * @param maximumLagBytes how much of a bucket's log may wait to be put into the queues before the acknowledgements wait, also while Redis
 *     does not answer; above twice as much publications above QoS 0 are refused with reason code 0x97
 * @param readAhead how much of the logs of all buckets may be read before it is in the queues; 0B means a thirty-second of the heap
 * @param acknowledgementInterval how often the log is told what clients have acknowledged: of a Redis that has lost its queues they get
 *     again what they acknowledged since; 0s means never
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

    /** What may be read of one bucket before it is in the queues, in bytes. */
    public long readAheadBytesOfABucket() {
        long all = readAhead.toBytes() == 0 ? Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP : readAhead.toBytes();
        return Math.max(1, all / count);
    }

    /** How far the queues may lag behind the logs. */
    public LagBounds toLagBounds() {
        return new LagBounds(targetLag, maximumLagBytes.toBytes());
    }

    /** Whether the size of the logs follows from the disk that they are on. */
    public boolean isShareOfDisk() {
        return maximumBytes.toBytes() == 0;
    }

    /** The size of the logs on a disk of that size. */
    public long shareOf(long diskBytes) {
        return Math.max(diskBytes / SHARE_OF_DISK, count * KafkaSettings.LEAST_BYTES_OF_BUCKET);
    }

    /** The size of the logs. */
    public long logBytes() {
        return isShareOfDisk() ? KafkaSettings.DEFAULT_BUCKET_LOG_BYTES : maximumBytes.toBytes();
    }

    /** How much of the logs is kept for how long. */
    public TruncationLimits toTrimmingLimits() {
        return new TruncationLimits(replayWindow, minimumReplayWindow);
    }
}
