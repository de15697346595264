package io.heddle.core.client;

/** The storage type of a client's persistent session, set in its credentials. */
public enum ClientType {
    /** One of very many clients with little traffic each: a shared log, and a queue for each client. */
    DEVICE,
    /** One of few clients with heavy streams: a log for each client. */
    APPLICATION
}
