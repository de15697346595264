package io.heddle.core.operator.store;

/**
 * @param address host and port, without secrets
 * @param role {@code master} for a primary
 * @param usedBytes the memory that its data and its own structures use
 * @param maximumBytes the configured limit of that memory; 0 for none
 * @param keys the number of its keys
 * @param replicas the number of connected replicas
 */
public record QueueServerState(
        String address, String version, String role, long usedBytes, long maximumBytes, long keys, int replicas) {}
