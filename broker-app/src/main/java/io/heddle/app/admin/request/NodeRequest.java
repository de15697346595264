package io.heddle.app.admin.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.app.credentials.PasswordPrompt;
import io.heddle.app.local.LocalBroker;
import io.heddle.app.local.LocalBrokers;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.core.administration.FirstAdministrator;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import io.heddle.persistence.http.TrustFile;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options that select a running node and an administrator. Without {@code --url}, the node is one that runs on the data directory; if no
 * broker has ever used the default directory, it is the one at the default port.
 */
public class NodeRequest {
    private static final String CA_FILE = "--ca-file";
    private static final String HTTPS = "https";
    private static final String DEFAULT_URL = "http://127.0.0.1:8080";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "HTTP listener of any node that runs (default: that of a broker on the data directory, else "
                    + DEFAULT_URL + ")")
    private @Nullable String url;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "data directory of a broker on this machine (default: HEDDLE_STANDALONE_DATA_DIR of the"
                    + " environment, or else " + StandaloneSettings.DEFAULT_DATA_DIR + ")")
    private @Nullable String dataDirectory;

    @Option(
            names = "--username",
            paramLabel = "NAME",
            description =
                    "administrator (default: ${DEFAULT-VALUE}); the password is asked for, or read as one line from"
                            + " standard input",
            defaultValue = FirstAdministrator.USER_NAME)
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private String userName;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "file whose only line is the password of the administrator")
    private @Nullable Path passwordFile;

    @Option(
            names = CA_FILE,
            paramLabel = "FILE",
            description =
                    "PEM file with the authorities of the certificates of nodes with TLS (default: those of Java). A broker"
                            + " that is found by its data directory needs none")
    private @Nullable Path authorities;

    private final @Nullable String usualDirectory;

    /** Options of a command in the environment of this process, in which a unit or an image names the data directory for all processes. */
    public NodeRequest() {
        this(System.getenv("HEDDLE_STANDALONE_DATA_DIR"));
    }

    /** @param usualDirectory the data directory without an option; null for the default */
    NodeRequest(@Nullable String usualDirectory) {
        this.usualDirectory = usualDirectory;
    }

    /**
     * Selects the node and reads the password. Sends nothing yet.
     *
     * @throws StartupException if there is no node to ask, or the file with the password cannot be read
     * @throws IllegalArgumentException if the password cannot be one
     */
    public NodeClient connect() {
        URI base = base();
        SSLContext trust = trust(base);
        return new NodeClient(base, userName, password(), trust);
    }

    /** Reads a resource with a client of its own. Errors as of {@link #connect} and {@link NodeClient}. */
    public Answer get(ApiPath path) {
        return send("GET", path, null);
    }

    /** Like {@link #get}, but removes a resource. */
    public Answer delete(ApiPath path) {
        return send("DELETE", path, null);
    }

    /** Like {@link #get}, but changes something. */
    public Answer post(ApiPath path, @Nullable Body body) {
        return send("POST", path, body);
    }

    /**
     * Like {@link #get}, but with any method.
     *
     * @param body null for none
     */
    public Answer send(String method, ApiPath path, @Nullable Body body) {
        try (NodeClient node = connect()) {
            return node.send(method, path, body);
        }
    }

    /** Like {@link #get}, but sends a file in CSV. */
    public Answer postCsv(ApiPath path, Path file) {
        try (NodeClient node = connect()) {
            return node.postCsv(path, file);
        }
    }

    /** Returns null for the authorities of Java. */
    private @Nullable SSLContext trust(URI base) {
        if (authorities != null) {
            if (!HTTPS.equals(base.getScheme())) {
                throw new StartupException(
                        CA_FILE + " is given, but " + base + " does not begin with https://: correct --url, or remove "
                                + CA_FILE,
                        null);
            }
            return TrustFile.read(CA_FILE, authorities);
        }
        // A file of the broker's user has named the address, and the process that listens there runs.
        return url == null && HTTPS.equals(base.getScheme()) ? NodeTrust.ofAnyCertificate() : null;
    }

    private String password() {
        return passwordFile == null
                ? new String(PasswordPrompt.readExisting().array(), UTF_8)
                : PasswordFile.read("--password-file", passwordFile);
    }

    URI base() {
        String named = url == null ? local() : url;
        try {
            URI base = URI.create(named.endsWith("/") ? named.substring(0, named.length() - 1) : named);
            if (base.getHost() != null && ("http".equals(base.getScheme()) || HTTPS.equals(base.getScheme()))) {
                return base;
            }
        } catch (IllegalArgumentException e) {
            throw wrongUrl(named, e);
        }
        throw wrongUrl(named, null);
    }

    private static StartupException wrongUrl(String named, @Nullable Exception cause) {
        return new StartupException(
                "--url is " + ControlCharacters.escaped(named) + ": set it to a URL such as " + DEFAULT_URL, cause);
    }

    private String local() {
        String usual = usualDirectory == null ? StandaloneSettings.DEFAULT_DATA_DIR : usualDirectory;
        Path directory = StandaloneSettings.of(dataDirectory == null ? usual : dataDirectory)
                .dataDirectory();
        List<LocalBroker> brokers = new LocalBrokers(directory).all();
        if (!brokers.isEmpty() && brokers.getFirst().isRunning()) {
            return brokers.getFirst().url();
        }
        if (!brokers.isEmpty()) {
            throw new StartupException(
                    "the broker on " + directory + " that listened at "
                            + brokers.getFirst().url()
                            + " has ended without a stop: start it, or name another one with --url",
                    null);
        }
        if (dataDirectory != null) {
            throw new StartupException(
                    "no broker runs on " + directory + ": start one, or name another one with --url", null);
        }
        return DEFAULT_URL;
    }
}
