package io.heddle.app.credentials;

import io.heddle.app.console.Console;
import io.heddle.core.authentication.GroupNames;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.authentication.certificate.CertificatePin;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ControlCharacters;
import io.heddle.persistence.password.Argon2PasswordHash;
import io.heddle.persistence.postgres.PostgresCredentials;
import io.heddle.persistence.scram.ScramAlgorithm;
import io.heddle.persistence.scram.ScramVerifier;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Stores credentials and replaces any with the same client id and user name. */
@Command(
        name = "add",
        description =
                "Stores credentials. Prompts for the password, or reads it as one line from standard input, unless"
                        + " there is a certificate in its place.")
final class AddCredentials implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    @Mixin
    private final ClientOptions client = new ClientOptions();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description = "device or application (default: ${DEFAULT-VALUE})",
            defaultValue = "device")
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private String type;

    @Option(
            names = "--groups",
            paramLabel = "NAMES",
            split = ",",
            description = "groups for rules, separated by commas (default: none)")
    private List<String> groups = List.of();

    @Option(
            names = "--certificate",
            paramLabel = "PIN",
            description = "clients prove themselves by certificate, not by password: any, issuer:NAME (RFC 2253), or"
                    + " sha256:FINGERPRINT")
    private @Nullable String certificate;

    @Option(
            names = "--scram",
            paramLabel = "HASH",
            description =
                    "sha-256 or sha-512: stores a verifier for SCRAM with this hash function. Without it, stores an Argon2id hash,"
                            + " which is harder to guess but serves plain passwords only")
    private @Nullable String scram;

    @Override
    public Integer call() {
        client.requireOne(command.commandLine());
        client.requireSendable(command.commandLine());
        ClientType clientType = clientType();
        String fault = GroupNames.fault(groups);
        if (fault != null) {
            throw new ParameterException(command.commandLine(), "--groups is wrong: " + fault);
        }
        String proof = proof();
        return database.with(open -> {
            new PostgresCredentials(() -> open)
                    .put(new StoredCredentials(
                            UUID.randomUUID(), client.clientId(), client.userName, clientType, groups, proof, null));
            Console.print("Stored for " + ClientOptions.describe(client.clientId(), client.userName) + ", type "
                    + clientType.name().toLowerCase(Locale.ROOT));
            return 0;
        });
    }

    /** Returns what the credentials have in place of a password, or what is stored of the password that it reads. */
    private String proof() {
        ScramAlgorithm algorithm = scram();
        if (certificate == null) {
            SecureRandom random = new SecureRandom();
            BinaryData password = PasswordPrompt.read();
            return algorithm == null
                    ? new Argon2PasswordHash(1, random, new SimpleMeterRegistry()).hash(password)
                    : ScramVerifier.create(algorithm, password, random).text();
        }
        CertificatePin pin = CertificatePin.parse(certificate);
        String fault = CertificatePin.fault(certificate, client.userName);
        if (pin == null || fault != null) {
            throw new ParameterException(
                    command.commandLine(),
                    "--certificate is wrong: " + fault + " It is " + ControlCharacters.escaped(certificate));
        }
        if (algorithm != null) {
            throw new ParameterException(
                    command.commandLine(),
                    "give --certificate or --scram: credentials have a certificate or a password");
        }
        return pin.stored();
    }

    private @Nullable ScramAlgorithm scram() {
        ScramAlgorithm algorithm = scram == null ? null : ScramAlgorithm.of(scram);
        if (scram != null && algorithm == null) {
            throw new ParameterException(command.commandLine(), "--scram must be sha-256 or sha-512, not " + scram);
        }
        return algorithm;
    }

    private ClientType clientType() {
        return switch (type) {
            case "device" -> ClientType.DEVICE;
            case "application" -> ClientType.APPLICATION;
            default ->
                throw new ParameterException(
                        command.commandLine(), "--type must be device or application, not " + type);
        };
    }
}
