package io.heddle.persistence.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Buckets;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client's bucket is the partition that Kafka's partitioner chooses for its id, so that Kafka's own tools find it. */
final class BucketPartitionsTest {
    private static final String LETTERS = "abcXYZ0189-_/{} éßж水🜁";

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16, 64, 1_000})
    void aClientsBucketIsTheOneOfKafkasPartitioner(int count) {
        Buckets buckets = new Buckets(count);
        int[] letters = LETTERS.codePoints().toArray();
        Random random = new Random(count);
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = 1 + random.nextInt(30); length > 0; length--) {
                text.appendCodePoint(letters[random.nextInt(letters.length)]);
            }
            byte[] key = text.toString().getBytes(StandardCharsets.UTF_8);

            assertThat(buckets.of(new ClientId(text.toString())))
                    .as("of %s", text)
                    .isEqualTo(BuiltInPartitioner.partitionForKey(key, count))
                    .isEqualTo(Utils.toPositive(Utils.murmur2(key)) % count);
        }
    }
}
