package io.heddle.persistence.scram;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.mqtt.BinaryData;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Verifiers for users without one, so that a client does not learn which users exist: the same user always gets the same salt, at each node and
 * after each start, as a real one does. They are derived from the id of the cluster, which clients never get. No proof fits them. Thread-safe.
 */
final class Decoys {
    private final Supplier<UUID> clusterId;
    private volatile byte @Nullable [] key;

    /** @param clusterId asked once; may block */
    Decoys(Supplier<UUID> clusterId) {
        this.clusterId = clusterId;
    }

    ScramVerifier of(ScramAlgorithm algorithm, String userName) {
        return new ScramVerifier(
                algorithm,
                ScramVerifier.ITERATIONS,
                derived(algorithm, "salt", userName, ScramVerifier.SALT_BYTES),
                derived(algorithm, "stored key", userName, algorithm.bytes()),
                derived(algorithm, "server key", userName, algorithm.bytes()));
    }

    private BinaryData derived(ScramAlgorithm algorithm, String use, String userName, int bytes) {
        byte[] data = (algorithm.mechanism() + " " + use + " " + userName).getBytes(UTF_8);
        return BinaryData.wrap(Arrays.copyOf(algorithm.hmac(key(), data), bytes));
    }

    private byte[] key() {
        byte[] known = key;
        if (known == null) {
            UUID id = clusterId.get();
            known = ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits())
                    .array();
            key = known;
        }
        return known;
    }
}
