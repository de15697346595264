package io.heddle.app.wiring;

import io.heddle.api.server.ProbePort;
import io.heddle.app.console.Announced;
import io.heddle.app.console.Console;
import io.heddle.app.listeners.ConfiguredListener;
import io.heddle.app.listeners.Urls;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.core.administration.FirstAdministrator;
import io.heddle.core.lifecycle.StartupPhase;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prints the addresses of the broker, and at the first start of a cluster the administrator's password. The administrator is stored only
 * after the password was printed. The last phase: once all is printed, the broker is ready.
 */
final class Announcement implements StartupPhase {
    private final HeddleSettings settings;
    private final boolean standalone;
    private final StandaloneServers servers;
    private final MqttListeners listeners;
    private final AnonymousAccessDecision anonymousAccess;
    private final FirstAdministrator firstAdministrator;
    private final IntSupplier httpPort;
    private final @Nullable ProbePort probes;

    Announcement(
            HeddleSettings settings,
            boolean standalone,
            StandaloneServers servers,
            MqttListeners listeners,
            AnonymousAccessDecision anonymousAccess,
            FirstAdministrator firstAdministrator,
            IntSupplier httpPort,
            @Nullable ProbePort probes) {
        this.settings = settings;
        this.standalone = standalone;
        this.servers = servers;
        this.listeners = listeners;
        this.anonymousAccess = anonymousAccess;
        this.firstAdministrator = firstAdministrator;
        this.httpPort = httpPort;
        this.probes = probes;
    }

    @Override
    public String name() {
        return "the announcement";
    }

    @Override
    public void start() {
        StringBuilder text = new StringBuilder();
        listeners.urls().forEach((name, url) -> line(text, name, url));
        http(text);
        if (standalone) {
            line(text, "data", settings.standalone().dataDirectory().toString());
        }
        String shortage = diskShortage();
        if (shortage != null) {
            line(text, "disk", shortage);
        }
        line(text, "anonymous", anonymous());
        int connections = settings.mqtt().effectiveConnections();
        if (connections < settings.mqtt().maximumConnections()) {
            line(
                    text,
                    "connections",
                    "at most " + connections + " instead of heddle.mqtt.maximum-connections="
                            + settings.mqtt().maximumConnections() + ", because this process may open only "
                            + settings.mqtt().fileDescriptors().limit() + " files (see ulimit -n)");
        }
        boolean shown = firstAdministrator.createIfNone(password -> {
            line(text, "administrator", FirstAdministrator.USER_NAME + ", password " + password + " (shown only now)");
            Console.print(text.toString().stripTrailing());
        });
        Console.print(shown ? Announced.READY : text.append(Announced.READY).toString());
    }

    private void http(StringBuilder text) {
        line(text, "http", Urls.of(settings.http().scheme(), settings.http().bind(), httpPort.getAsInt()));
        if (probes != null) {
            line(text, "probes", Urls.of("http", settings.http().bind(), probes.port()));
        }
    }

    private @Nullable String diskShortage() {
        DataDisk disk = servers.disk();
        return disk == null ? null : disk.shortage(settings.standalone().minimumFreeBytes(disk.totalBytes()));
    }

    private String anonymous() {
        List<ConfiguredListener> all = settings.mqtt().allListeners().all();
        List<ConfiguredListener> on = all.stream()
                .filter(each -> anonymousAccess.isAllowed(each.name()))
                .toList();
        if (on.isEmpty()) {
            return "off";
        }
        String scope = on.stream().allMatch(ConfiguredListener::isLoopbackOnly)
                ? "on, loopback only"
                : "on, for all clients that can reach the listener";
        return on.size() == all.size()
                ? scope
                : scope + ", at " + on.stream().map(ConfiguredListener::name).collect(Collectors.joining(", "));
    }

    private static void line(StringBuilder text, String label, @Nullable String value) {
        text.append("  ").append(label).append(": ").append(value).append('\n');
    }
}
