package io.heddle.core.client;

/**
 * How a client's persistent session is kept. Comes from its credentials.
 */
public enum ClientType {
    /** One of very many with little traffic each: a shared log and a queue of its own. */
    DEVICE,
    /** One of few with a heavy stream: a log of its own. */
    APPLICATION
}
