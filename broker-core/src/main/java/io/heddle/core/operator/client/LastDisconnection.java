package io.heddle.core.operator.client;

/**
 * The last time that a client was disconnected.
 *
 * @param client as it was connected then
 * @param reason a word
 * @param detail one clause for a person
 * @param millis the time of day, in milliseconds since 1970
 */
public record LastDisconnection(ClientEntry client, String reason, String detail, long millis) {}
