package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.traffic.BrokerAccess;
import io.heddle.perf.load.wire.MqttVersion;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the broker is, and who the clients say they are. */
final class BrokerOptions {
    private static final int MAXIMUM_PORT = 65_535;

    @Option(names = "--host", paramLabel = "HOST", description = "default: ${DEFAULT-VALUE}")
    private String host = "127.0.0.1";

    @Option(names = "--port", paramLabel = "PORT", description = "default: ${DEFAULT-VALUE}")
    private int port = 1883;

    @Option(
            names = "--mqtt",
            paramLabel = "VERSION",
            description = "3.1.1 or 5.0; default: 3.1.1",
            converter = VersionOption.class)
    private MqttVersion version = MqttVersion.V3_1_1;

    @Option(
            names = "--client-id-prefix",
            paramLabel = "TEXT",
            description = "clients are TEXT-pub-0, TEXT-sub-0, TEXT-idle-0 and so on; default: ${DEFAULT-VALUE}")
    private String clientIdPrefix = "load";

    @Option(names = "--username", paramLabel = "NAME", description = "of all clients")
    private @Nullable String username;

    @Option(names = "--password", paramLabel = "PASSWORD", description = "of all clients")
    private @Nullable String password;

    @Option(names = "--subscriber-username", paramLabel = "NAME", description = "of subscribers, where it differs")
    private @Nullable String subscriberUsername;

    @Option(names = "--subscriber-password", paramLabel = "PASSWORD", description = "of subscribers, where it differs")
    private @Nullable String subscriberPassword;

    @Option(
            names = "--keep-alive",
            paramLabel = "TIME",
            description = "0s turns it off; default: 60s",
            converter = DurationOption.class)
    private Duration keepAlive = Duration.ofSeconds(60);

    @Option(
            names = "--session-expiry",
            paramLabel = "TIME",
            description = "of persistent sessions, in 5.0; default: 60m",
            converter = DurationOption.class)
    private Duration sessionExpiry = Duration.ofMinutes(60);

    @Option(
            names = "--connects-at-once",
            paramLabel = "N",
            description = "handshakes under way at a time; default: ${DEFAULT-VALUE}")
    private int connectsAtOnce = 50;

    BrokerAccess access() {
        if (port < 1 || port > MAXIMUM_PORT) {
            throw new LoadException("--port " + port + " is no port: 1 to 65535");
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new LoadException("The host '" + host + "' is not known (--host)");
        }
        if (connectsAtOnce < 1 || keepAlive.toSeconds() > 0xFFFF) {
            throw new LoadException("--connects-at-once must be 1 or more and --keep-alive 65535 s or less");
        }
        if ((password != null && username == null) || (subscriberPassword != null && subscriberUsername == null)) {
            throw new LoadException("A password needs a user name (--username, --subscriber-username)");
        }
        BrokerAccess.Credentials all = new BrokerAccess.Credentials(username, password);
        return new BrokerAccess(
                address,
                version,
                clientIdPrefix,
                all,
                subscriberUsername == null ? all : new BrokerAccess.Credentials(subscriberUsername, subscriberPassword),
                keepAlive,
                sessionExpiry,
                connectsAtOnce);
    }
}
