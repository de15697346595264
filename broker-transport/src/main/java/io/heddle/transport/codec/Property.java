package io.heddle.transport.codec;

/** The property identifiers of section 2.2.2.2. Each packet's codec defines which ones it allows. */
final class Property {
    static final int PAYLOAD_FORMAT_INDICATOR = 1;
    static final int MESSAGE_EXPIRY_INTERVAL = 2;
    static final int CONTENT_TYPE = 3;
    static final int RESPONSE_TOPIC = 8;
    static final int CORRELATION_DATA = 9;
    static final int SUBSCRIPTION_IDENTIFIER = 11;
    static final int SESSION_EXPIRY_INTERVAL = 17;
    static final int ASSIGNED_CLIENT_IDENTIFIER = 18;
    static final int SERVER_KEEP_ALIVE = 19;
    static final int AUTHENTICATION_METHOD = 21;
    static final int AUTHENTICATION_DATA = 22;
    static final int REQUEST_PROBLEM_INFORMATION = 23;
    static final int WILL_DELAY_INTERVAL = 24;
    static final int REQUEST_RESPONSE_INFORMATION = 25;
    static final int RESPONSE_INFORMATION = 26;
    static final int SERVER_REFERENCE = 28;
    static final int REASON_STRING = 31;
    static final int RECEIVE_MAXIMUM = 33;
    static final int TOPIC_ALIAS_MAXIMUM = 34;
    static final int TOPIC_ALIAS = 35;
    static final int MAXIMUM_QOS = 36;
    static final int RETAIN_AVAILABLE = 37;
    static final int USER_PROPERTY = 38;
    static final int MAXIMUM_PACKET_SIZE = 39;
    static final int WILDCARD_SUBSCRIPTION_AVAILABLE = 40;
    static final int SUBSCRIPTION_IDENTIFIERS_AVAILABLE = 41;
    static final int SHARED_SUBSCRIPTION_AVAILABLE = 42;

    /** Properties that may be repeated: user properties, and subscription identifiers in PUBLISH. */
    static final long REPEATABLE = (1L << USER_PROPERTY) | (1L << SUBSCRIPTION_IDENTIFIER);

    private Property() {}
}
