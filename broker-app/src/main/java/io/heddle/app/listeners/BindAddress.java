package io.heddle.app.listeners;

import io.heddle.core.lifecycle.StartupException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Resolution of a listener's address. */
public final class BindAddress {
    private BindAddress() {}

    /**
     * Resolves an address or a host name, which may query DNS. Throws StartupException if it is unknown.
     *
     * @param setting names the setting in messages
     */
    public static InetAddress of(String setting, String text) {
        if (text.isBlank()) {
            throw wrong(setting, "is empty", null);
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw wrong(setting, "is " + text + ", which is neither an address nor a name that this machine knows", e);
        }
    }

    private static StartupException wrong(String setting, String what, @Nullable UnknownHostException cause) {
        return new StartupException(
                setting + " " + what + ": set it to an address of this machine, like 127.0.0.1 or 0.0.0.0", cause);
    }
}
