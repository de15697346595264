package io.heddle.app.tls.command;

import io.heddle.app.console.Console;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import io.heddle.transport.certificate.TrialCertificates;
import io.heddle.transport.certificate.TrialCertificates.Issued;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Creates an authority and a certificate of a server that it has issued, for trials. */
@Command(
        name = "self-signed",
        description =
                "Creates an authority of your own and a certificate for the server, and prints how to use them. For trials:"
                        + " clients trust the certificate only if they are given that of the authority. Existing files are never"
                        + " overwritten.")
final class SelfSigned implements Callable<Integer> {
    private static final String AUTHORITY = "ca.pem";
    private static final String AUTHORITY_KEY = "ca-key.pem";
    private static final String SERVER = "server.pem";
    private static final String SERVER_KEY = "server-key.pem";
    private static final int MAXIMUM_DAYS = 3_650;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description = "name or address that clients connect to; can be repeated (default: localhost and 127.0.0.1)")
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private List<String> hosts = List.of("localhost", "127.0.0.1");

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "directory for the files (default: ${DEFAULT-VALUE})",
            defaultValue = "heddle-tls")
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private Path directory;

    @Option(
            names = "--days",
            paramLabel = "N",
            description = "how long the certificates are valid (default: ${DEFAULT-VALUE})",
            defaultValue = "365")
    private int days;

    @Override
    public Integer call() {
        check();
        TrialCertificates trial =
                new TrialCertificates(new SecureRandom(), Clock.systemUTC().instant(), Duration.ofDays(days));
        Issued authority = trial.authority("Heddle trial authority");
        Issued server = trial.server(authority, hosts);
        Map<String, String> files = new LinkedHashMap<>();
        files.put(AUTHORITY, authority.certificatePem());
        files.put(AUTHORITY_KEY, authority.keyPem());
        files.put(SERVER, server.certificatePem());
        files.put(SERVER_KEY, server.keyPem());
        write(files);
        Console.print(instructions());
        return 0;
    }

    private void check() {
        for (String host : hosts) {
            if (!TrialCertificates.isHost(host)) {
                throw new StartupException(
                        "--host is " + ControlCharacters.escaped(host)
                                + ", which is no host name or address: use one such as mqtt.example.org or 192.0.2.1",
                        null);
            }
        }
        if (days < 1 || days > MAXIMUM_DAYS) {
            throw new StartupException("--days is " + days + ": use 1 to " + MAXIMUM_DAYS, null);
        }
    }

    private void write(Map<String, String> files) {
        for (String name : files.keySet()) {
            if (Files.exists(directory.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                throw existing(directory.resolve(name), null);
            }
        }
        try {
            if (!Files.isDirectory(directory)) {
                Files.createDirectories(directory, permissions("rwx------"));
            }
            for (Map.Entry<String, String> file : files.entrySet()) {
                boolean isSecret = file.getKey().endsWith("-key.pem");
                Path created = Files.createFile(
                        directory.resolve(file.getKey()), permissions(isSecret ? "rw-------" : "rw-r--r--"));
                Files.writeString(created, file.getValue());
            }
        } catch (FileAlreadyExistsException e) {
            throw existing(Path.of(String.valueOf(e.getFile())), e);
        } catch (IOException e) {
            throw new StartupException(
                    "--directory is " + directory + ", where files cannot be written (" + e.getMessage()
                            + "): choose another one",
                    e);
        }
    }

    private static FileAttribute<?> permissions(String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    private static StartupException existing(Path file, @Nullable Exception cause) {
        return new StartupException(
                file + " exists and is not overwritten: remove it, or choose another --directory", cause);
    }

    private String instructions() {
        Path absolute = directory.toAbsolutePath().normalize();
        return """
                Created certificates for %s, valid for %d days, in %s:
                  %s          certificate of the authority, for the clients
                  %s      its key; keep it secret
                  %s      certificate of the server
                  %s  its key; keep it secret

                Start the broker:
                  ./heddle --mqtts-port 8883 --heddle.mqtt.tls.certificate=%s --heddle.mqtt.tls.key=%s

                Connect a client:
                  mosquitto_sub --cafile %s -h %s -p 8883 -t 'greetings/#' -v""".formatted(
                        String.join(", ", hosts),
                        days,
                        absolute,
                        AUTHORITY,
                        AUTHORITY_KEY,
                        SERVER,
                        SERVER_KEY,
                        absolute.resolve(SERVER),
                        absolute.resolve(SERVER_KEY),
                        absolute.resolve(AUTHORITY),
                        hosts.getFirst().startsWith("*.") ? "HOST" : hosts.getFirst());
    }
}
