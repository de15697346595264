package io.heddle.app.credentials;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ControlCharacters;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

final class ClientOptions {
    @Option(names = "--client-id", paramLabel = "ID", description = "client id of the credentials; any if omitted")
    @Nullable
    String clientId;

    @Option(names = "--username", paramLabel = "NAME", description = "user name of the credentials; any if omitted")
    @Nullable
    String userName;

    @Nullable
    ClientId clientId() {
        return clientId == null ? null : new ClientId(clientId);
    }

    /** Throws ParameterException if neither option is given. */
    void requireOne(CommandLine command) {
        if (clientId == null && userName == null) {
            throw new ParameterException(command, "Give --client-id, --username or both");
        }
    }

    /** Throws ParameterException if no client can send the given names. */
    void requireSendable(CommandLine command) {
        requireSendable(command, "--client-id", clientId);
        requireSendable(command, "--username", userName);
    }

    private static void requireSendable(CommandLine command, String option, @Nullable String text) {
        if (text != null && text.isBlank()) {
            throw new ParameterException(command, option + " is empty: give a name, or omit the option for any");
        }
        String fault = text == null ? null : MqttText.fault(text);
        if (fault != null) {
            throw new ParameterException(command, option + " " + fault);
        }
    }

    static String describe(@Nullable ClientId clientId, @Nullable String userName) {
        String user = userName == null ? "" : "user " + ControlCharacters.escaped(userName);
        if (clientId == null) {
            return user;
        }
        String client = "client " + ControlCharacters.escaped(clientId.value());
        return userName == null ? client : client + ", " + user;
    }
}
