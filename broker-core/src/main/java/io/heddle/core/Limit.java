package io.heddle.core;

/**
 * A limit of this node that a client has exceeded.
 *
 * @param setting the name of the setting, with a remark in front if the limit is a part of its value
 * @param value the limit on this node: a number, or a size in bytes
 */
public record Limit(String setting, long value) {}
