package io.heddle.app.wiring;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.MqttSettings;
import io.heddle.core.authentication.AnonymousAccess;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.lifecycle.StartupPhase;

/** Decides whether anonymous clients may connect, once the stored credentials can be read. Any thread may ask for the decision. */
final class AnonymousAccessDecision implements StartupPhase {
    private final HeddleSettings settings;
    private final String bindOrigin;
    private final boolean standalone;
    private final CredentialsStore credentials;
    private volatile boolean allowed;

    /** @param bindOrigin origin of the address to listen on, for error messages */
    AnonymousAccessDecision(
            HeddleSettings settings, String bindOrigin, boolean standalone, CredentialsStore credentials) {
        this.settings = settings;
        this.bindOrigin = bindOrigin;
        this.standalone = standalone;
        this.credentials = credentials;
    }

    /** Returns the decision; false before the start. */
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
        if (decided == AnonymousAccess.NO_CLIENT_COULD_CONNECT) {
            throw new StartupException(
                    MqttSettings.BIND + bindOrigin + " is " + settings.mqtt().bind()
                            + ", which disables anonymous access, and no credentials are stored, so no client"
                            + " could connect: store credentials with ./heddle credentials add" + dataDirectory()
                            + ", or allow all clients with --heddle.authentication.anonymous.enabled=true",
                    null);
        }
        allowed = decided == AnonymousAccess.ALLOWED;
    }

    /** Names the data directory of this broker, so that the credentials are stored in its database. */
    private String dataDirectory() {
        return standalone ? settings.standalone().option() : "";
    }

    @Override
    public void stop() {
        allowed = false;
    }
}
