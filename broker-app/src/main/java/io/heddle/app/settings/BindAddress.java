package io.heddle.app.settings;

import io.heddle.core.lifecycle.StartupException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** The address of a listener as it is written in a setting. */
final class BindAddress {
    private BindAddress() {}

    /** The address that the text names. Throws StartupException when it names none. May ask the name service. */
    static InetAddress of(String setting, String text) {
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
                setting + " (--bind) " + what + ": set it to an address of this machine, like 127.0.0.1 or 0.0.0.0",
                cause);
    }
}
