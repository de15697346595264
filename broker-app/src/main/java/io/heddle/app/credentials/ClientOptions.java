package io.heddle.app.credentials;

import io.heddle.core.client.ClientId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Whom credentials are for. */
final class ClientOptions {
    @Option(names = "--client-id", paramLabel = "ID", description = "the client id they are for; without it, any")
    @Nullable
    String clientId;

    @Option(names = "--username", paramLabel = "NAME", description = "the user name they are for; without it, any")
    @Nullable
    String userName;

    @Nullable
    ClientId clientId() {
        return clientId == null ? null : new ClientId(clientId);
    }

    /** Throws ParameterException when neither was given to the command. */
    void requireOne(CommandLine command) {
        if (isBlank(clientId) && isBlank(userName)) {
            throw new ParameterException(command, "Give --client-id, --username or both");
        }
    }

    /** Throws ParameterException when no client could ever connect with what was given. */
    void requireSendable(CommandLine command) {
        requireSendable(command, "--client-id", clientId);
        requireSendable(command, "--username", userName);
    }

    private static void requireSendable(CommandLine command, String option, @Nullable String text) {
        String fault = text == null ? null : MqttText.fault(text);
        if (fault != null) {
            throw new ParameterException(command, option + " " + fault);
        }
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }

    /** For a person. */
    static String describe(@Nullable ClientId clientId, @Nullable String userName) {
        if (clientId == null) {
            return "user " + userName;
        }
        return userName == null ? "client " + clientId : "client " + clientId + ", user " + userName;
    }
}
