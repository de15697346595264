package io.heddle.core.operator.bucket;

import java.util.List;

/**
 * @param buckets in the order of their numbers
 * @param missingNodes the ids of the members that have not answered
 */
public record BucketStates(List<BucketState> buckets, List<String> missingNodes) {
    public BucketStates {
        buckets = List.copyOf(buckets);
        missingNodes = List.copyOf(missingNodes);
    }
}
