package io.heddle.core.operator.trace;

import java.time.Duration;
import java.util.UUID;

/**
 * A trace that runs at a node.
 *
 * @param administrator who has begun it, or an API key as {@code key:NAME}
 * @param age since it has begun at the node
 */
public record RunningTrace(UUID id, String administrator, TraceFilter filter, boolean hasPayloads, Duration age) {}
