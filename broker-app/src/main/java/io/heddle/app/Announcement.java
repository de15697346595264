package io.heddle.app;

import io.heddle.app.console.Console;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.core.lifecycle.StartupPhase;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Tells the person who started the broker where everything is. The last phase: once it is printed, the broker is ready. */
final class Announcement implements StartupPhase {
    /** What scripts wait for on standard output. */
    static final String READY = "Heddle is ready";

    private final HeddleSettings settings;
    private final boolean standalone;
    private final MqttListeners listeners;
    private final AnonymousAccessDecision anonymousAccess;
    private final Administrator administrator;
    private final IntSupplier httpPort;

    Announcement(
            HeddleSettings settings,
            boolean standalone,
            MqttListeners listeners,
            AnonymousAccessDecision anonymousAccess,
            Administrator administrator,
            IntSupplier httpPort) {
        this.settings = settings;
        this.standalone = standalone;
        this.listeners = listeners;
        this.anonymousAccess = anonymousAccess;
        this.administrator = administrator;
        this.httpPort = httpPort;
    }

    @Override
    public String name() {
        return "the announcement";
    }

    @Override
    public void start() {
        StringBuilder text = new StringBuilder();
        listeners.urls().forEach((name, url) -> line(text, name, url));
        line(text, "http", Urls.of("http", settings.http().bind(), httpPort.getAsInt()));
        if (standalone) {
            line(text, "data", settings.standalone().dataDirectory().toString());
        }
        line(text, "anonymous", anonymous());
        String password = administrator.takeGeneratedPassword();
        if (password != null) {
            line(text, "administrator", "admin, password " + password + " (shown only now)");
        }
        text.append(READY);
        Console.print(text.toString());
    }

    private String anonymous() {
        if (!anonymousAccess.isAllowed()) {
            return "off";
        }
        return settings.mqtt().isLoopbackOnly() ? "on, loopback only" : "on, for everybody who can reach the listener";
    }

    private static void line(StringBuilder text, String label, @Nullable String value) {
        text.append("  ").append(label).append(": ").append(value).append('\n');
    }

    @Override
    public void stop() {
        // What was printed stays printed.
    }
}
