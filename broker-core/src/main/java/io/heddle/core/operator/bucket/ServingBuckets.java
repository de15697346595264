package io.heddle.core.operator.bucket;

/** Gives access to the buckets of the cluster while a node serves. Implemented by the application. */
@FunctionalInterface
public interface ServingBuckets {
    /**
     * Returns the buckets. Does not block; any thread.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    BucketAdministration get();
}
