package io.heddle.app.wiring;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.MqttSettings;
import io.heddle.core.authentication.AnonymousAccess;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.lifecycle.StartupPhase;

/** Decides, once the stored credentials can be looked at, whether anonymous clients are let in. Any thread may ask for the answer. */
final class AnonymousAccessDecision implements StartupPhase {
    private final HeddleSettings settings;
    private final String bindPlace;
    private final boolean standalone;
    private final CredentialsStore credentials;
    private volatile boolean allowed;

    /** @param bindPlace where the address to listen on was given, as it is to be read behind the setting's name */
    AnonymousAccessDecision(
            HeddleSettings settings, String bindPlace, boolean standalone, CredentialsStore credentials) {
        this.settings = settings;
        this.bindPlace = bindPlace;
        this.standalone = standalone;
        this.credentials = credentials;
    }

    /** The decision; false before the start. */
    boolean isAllowed() {
        return allowed;
    }

    @Override
    public String name() {
        return "the decision about anonymous access";
    }

    @Override
    public void start() {
        AnonymousAccess decided = AnonymousAccess.decide(
                settings.authentication().anonymous().enabled(),
                standalone,
                settings.mqtt().isLoopbackOnly(),
                () -> !credentials.isEmpty());
        if (decided == AnonymousAccess.NOBODY_COULD_CONNECT) {
            throw new StartupException(
                    MqttSettings.BIND + bindPlace + " is " + settings.mqtt().bind()
                            + ", which switches anonymous access off, and no credentials are stored, so"
                            + " nobody could connect: store some with ./heddle credentials add" + dataDirectory()
                            + ", or let everybody in with --heddle.authentication.anonymous.enabled=true",
                    null);
        }
        allowed = decided == AnonymousAccess.ALLOWED;
    }

    /** Named, so that the credentials are stored where this broker finds them. */
    private String dataDirectory() {
        return standalone ? settings.standalone().option() : "";
    }

    @Override
    public void stop() {
        allowed = false;
    }
}
