package io.heddle.app.e2e;

import java.util.List;

/** A Paho client, which shows more of its packets than other libraries. */
sealed interface PahoClient extends LibraryClient permits Paho3Client, Paho5Client {
    /** Stops acknowledging QoS 1 messages. */
    void acknowledgeNothing();

    /** Returns the messages so far as "payload id", with " DUP" where the library shows the flag. */
    List<String> packets();
}
