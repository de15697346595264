package io.heddle.app.wiring;

import io.heddle.app.authentication.MethodName;
import io.heddle.app.listeners.ConfiguredListener;
import io.heddle.app.listeners.ConfiguredListeners;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.MqttSettings;
import io.heddle.core.authentication.AnonymousAccess;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.lifecycle.StartupPhase;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides whether anonymous clients may connect, once the stored credentials can be read. Any thread may ask for the decision. */
final class AnonymousAccessDecision implements StartupPhase {
    private final HeddleSettings settings;
    private final String bindOrigin;
    private final boolean standalone;
    private final CredentialsStore credentials;
    private volatile Set<String> allowed = Set.of();

    /** @param bindOrigin origin of the address to listen on, for error messages */
    AnonymousAccessDecision(
            HeddleSettings settings, String bindOrigin, boolean standalone, CredentialsStore credentials) {
        this.settings = settings;
        this.bindOrigin = bindOrigin;
        this.standalone = standalone;
        this.credentials = credentials;
    }

    /** Returns the decision for a listener; false before the start. */
    boolean isAllowed(String listener) {
        return allowed.contains(listener);
    }

    @Override
    public String name() {
        return "the decision about anonymous access";
    }

    @Override
    public void start() {
        ConfiguredListeners listeners = settings.mqtt().allListeners();
        boolean anyOwn = listeners.all().stream().anyMatch(each -> isOn(each, false));
        AnonymousAccess decided = AnonymousAccess.decide(
                settings.authentication().anonymous().enabled(),
                standalone,
                listeners.isLoopbackOnly(),
                () -> anyOwn || settings.authentication().methods().contains(MethodName.JWT) || !credentials.isEmpty());
        if (decided == AnonymousAccess.NO_CLIENT_COULD_CONNECT) {
            throw new StartupException(
                    listeners.all().stream()
                                    .filter(each -> !each.isLoopbackOnly())
                                    .map(this::exposure)
                                    .findFirst()
                                    .orElseThrow()
                            + ", which disables anonymous access, and no credentials are stored, so no client"
                            + " could connect: store credentials with ./heddle credentials add" + dataDirectory()
                            + ", or allow all clients with --heddle.authentication.anonymous.enabled=true",
                    null);
        }
        allowed = listeners.all().stream()
                .filter(each -> isOn(each, decided == AnonymousAccess.ALLOWED))
                .map(ConfiguredListener::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isOn(ConfiguredListener listener, boolean ofNode) {
        Boolean own = listener.settings().anonymous();
        return own == null ? ofNode : own;
    }

    /** Names the setting that lets clients of other machines reach a listener. */
    private String exposure(ConfiguredListener listener) {
        if (listener.address().isLoopbackAddress()) {
            return listener.key() + ".trusted-proxies is set";
        }
        String origin = listener.addressSetting().equals(MqttSettings.BIND) ? bindOrigin : "";
        return listener.addressSetting() + origin + " is " + listener.host();
    }

    /** Names the data directory of this broker, so that the credentials are stored in its database. */
    private String dataDirectory() {
        return standalone ? settings.standalone().option() : "";
    }

    @Override
    public void stop() {
        allowed = Set.of();
    }
}
