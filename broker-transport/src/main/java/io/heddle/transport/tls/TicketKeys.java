package io.heddle.transport.tls;

import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys of the session tickets of one listener, in memory only. The newest encrypts; the one before it still decrypts. Bound: two keys.
 * Listeners share none, since a ticket stands for the checks of its listener. Thread-safe. The JDK keeps keys of its own, see {@link TlsProvider#limitTicketKeys}.
 */
final class TicketKeys {
    private static final int KEYS = 2;

    private final SecureRandom random = new SecureRandom();
    private final List<OpenSslSessionTicketKey> newestFirst = new ArrayList<>();

    TicketKeys() {
        newestFirst.add(create());
    }

    private OpenSslSessionTicketKey create() {
        return new OpenSslSessionTicketKey(
                bytes(OpenSslSessionTicketKey.NAME_SIZE),
                bytes(OpenSslSessionTicketKey.HMAC_KEY_SIZE),
                bytes(OpenSslSessionTicketKey.AES_KEY_SIZE));
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Adds a new key and drops the oldest. Used contexts need {@link #use} again. */
    synchronized void rotate() {
        newestFirst.addFirst(create());
        if (newestFirst.size() > KEYS) {
            newestFirst.removeLast();
        }
    }

    /** Lets a context use the current keys. */
    synchronized void use(OpenSslSessionContext context) {
        context.setTicketKeys(newestFirst.toArray(OpenSslSessionTicketKey[]::new));
    }
}
