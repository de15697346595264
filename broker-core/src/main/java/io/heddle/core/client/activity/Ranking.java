package io.heddle.core.client.activity;

/** By what clients or topics are compared. The order is that of the answers of nodes. */
public enum Ranking {
    /** PUBLISH packets from a client, a second. */
    CLIENT_MESSAGES_IN,
    /** Payload bytes from a client, a second. */
    CLIENT_BYTES_IN,
    /** PUBLISH packets to a client, a second. */
    CLIENT_MESSAGES_OUT,
    /** Payload bytes to a client, a second. */
    CLIENT_BYTES_OUT,
    /** Accepted connections of a client, a second. */
    CLIENT_CONNECTS,
    /** Messages that a client has missed, a second. */
    CLIENT_DROPS,
    /** Subscriptions of a connected client. */
    CLIENT_SUBSCRIPTIONS,
    /** Messages for a connected client that it has not acknowledged, or was not sent yet. */
    CLIENT_WAITING,
    /** PUBLISH packets from clients, a second. */
    TOPIC_MESSAGES_IN,
    /** Payload bytes from clients, a second. */
    TOPIC_BYTES_IN,
    /** PUBLISH packets to clients, a second. */
    TOPIC_MESSAGES_OUT,
    /** Payload bytes to clients, a second. */
    TOPIC_BYTES_OUT
}
