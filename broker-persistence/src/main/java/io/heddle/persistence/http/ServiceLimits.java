package io.heddle.persistence.http;

import io.heddle.core.Limit;
import java.time.Duration;

/**
 * @param timeout of a request, and of the wait for its turn
 * @param concurrentRequests further clients wait for their turn
 * @param cacheTime for which an answer is kept; 0 disables the cache
 * @param cacheBytes the maximum size of the cache
 * @param breakerFailures the number of failures in a row after which requests stop
 * @param breakerPause until a single request probes the service
 */
public record ServiceLimits(
        Duration timeout,
        Limit concurrentRequests,
        Duration cacheTime,
        long cacheBytes,
        int breakerFailures,
        Duration breakerPause) {}
