package io.heddle.app.credentials;

import io.heddle.app.console.Console;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ControlCharacters;
import io.heddle.persistence.postgres.PostgresCredentials;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints all credentials without passwords, one line each, with fields separated by tabs. */
@Command(
        name = "list",
        description =
                "Prints all credentials: type, client id, user name (* for any), groups if any, separated by tabs.")
final class ListCredentials implements Callable<Integer> {
    private static final int PAGE = 1_000;

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        return database.withStored(open -> {
            CredentialsStore store = new PostgresCredentials(() -> open);
            int offset = 0;
            List<StoredCredentials> page;
            do {
                page = store.list(offset, PAGE);
                page.forEach(ListCredentials::print);
                offset += page.size();
            } while (page.size() == PAGE);
            if (offset == 0) {
                Console.printError("No credentials are stored");
            }
            return 0;
        });
    }

    private static void print(StoredCredentials stored) {
        ClientId clientId = stored.clientId();
        Console.print(stored.type().name().toLowerCase(Locale.ROOT) + "\t"
                + printable(clientId == null ? null : clientId.value()) + "\t" + printable(stored.userName())
                + (stored.groups().isEmpty() ? "" : "\t" + String.join(",", stored.groups())));
    }

    /** Escapes control characters, which could overwrite the terminal. */
    private static String printable(@Nullable String text) {
        return text == null ? "*" : ControlCharacters.escaped(text);
    }
}
