package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.traffic.BrokerAccess.Credentials;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the addresses of the brokers and the identities of the clients. */
final class EndpointOptions {
    private static final int MAXIMUM_PORT = 65_535;

    @Option(names = "--host", paramLabel = "HOST", description = "default: ${DEFAULT-VALUE}")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            split = ",",
            description = "of the broker, or PORT,PORT,... of several nodes of a cluster; default: 1883")
    private List<Integer> ports = List.of(1883);

    @Option(
            names = "--client-id-prefix",
            paramLabel = "TEXT",
            description = "clients are TEXT-pub-0, TEXT-sub-0, TEXT-idle-0 and so on; default: ${DEFAULT-VALUE}")
    private String clientIdPrefix = "load";

    @Option(
            names = {"--username", "--user"},
            paramLabel = "NAME",
            description = "of all clients")
    private @Nullable String username;

    @Option(names = "--password", paramLabel = "PASSWORD", description = "of all clients")
    private @Nullable String password;

    /** The address of the only broker. */
    InetSocketAddress address() {
        if (ports.size() > 1) {
            throw new LoadException("This command loads one broker, not " + ports.size() + ": name one with --port");
        }
        return address(ports.getFirst());
    }

    /** The addresses of all brokers. */
    List<InetSocketAddress> addresses() {
        return ports.stream().map(this::address).toList();
    }

    private InetSocketAddress address(int port) {
        if (port < 1 || port > MAXIMUM_PORT) {
            throw new LoadException("--port " + port + " is not a port: use 1 to 65535");
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new LoadException("The host '" + host + "' cannot be resolved: correct --host");
        }
        return address;
    }

    Credentials credentials() {
        if (password != null && username == null) {
            throw new LoadException("A password needs a user name (--username)");
        }
        return new Credentials(username, password);
    }

    String clientIdPrefix() {
        return clientIdPrefix;
    }
}
