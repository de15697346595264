package io.heddle.app.e2e;

import java.util.List;

/** A client of Paho's, which tells more of the packets than others do. */
sealed interface PahoClient extends LibraryClient permits Paho3Client, Paho5Client {
    /** From here on nothing of QoS 1 that arrives is acknowledged. */
    void acknowledgeNothing();

    /** What has arrived so far, each as "payload id", with " DUP" where the packet said so and the library tells. */
    List<String> packets();
}
