package io.heddle.api.retained;

/**
 * The result of a removal of retained messages.
 *
 * @param complete whether all matching messages were removed; otherwise repeat the request
 */
public record RemovalResponse(int removed, boolean complete) {}
