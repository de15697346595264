package io.heddle.app.credentials;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.app.console.Console;
import io.heddle.core.administration.AdminUsers;
import io.heddle.core.administration.FirstAdministrator;
import io.heddle.core.administration.GeneratedPassword;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.password.Argon2PasswordHash;
import io.heddle.persistence.postgres.PostgresAdminUsers;
import io.heddle.persistence.postgres.PostgresDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives an administrator another password. A running broker asks for it at each sign-in, so it counts from that moment on. */
@Command(
        name = "reset-password",
        description =
                "Gives an administrator a new password, which is asked for, read as one line from standard input, or"
                        + " generated. It counts at once, also in a running broker.",
        mixinStandardHelpOptions = true)
final class ResetPassword implements Callable<Integer> {
    private final SecureRandom random = new SecureRandom();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--username",
            paramLabel = "NAME",
            description = "whose password it is (default: ${DEFAULT-VALUE})",
            defaultValue = FirstAdministrator.USER_NAME)
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private String userName;

    @Option(names = "--generate", description = "draws the password and prints it")
    private boolean generate;

    @Override
    public Integer call() {
        database.requireStored();
        BinaryData entered = generate ? null : PasswordPrompt.read();
        return database.with(open -> reset(open, entered));
    }

    private int reset(PostgresDatabase open, @Nullable BinaryData entered) {
        AdminUsers users = new PostgresAdminUsers(() -> open);
        if (users.find(userName) == null) {
            return nobody();
        }
        BinaryData password = entered == null ? drawn() : entered;
        String hash = new Argon2PasswordHash(1, random, new SimpleMeterRegistry()).hash(password);
        if (!users.changePassword(userName, hash)) {
            return nobody();
        }
        Console.print("Changed for administrator " + userName);
        return 0;
    }

    /** Printed before it is stored: one that nobody saw must not be the only one. */
    private BinaryData drawn() {
        String password = GeneratedPassword.draw(random);
        Console.print("Password: " + password);
        return BinaryData.wrap(password.getBytes(UTF_8));
    }

    private int nobody() {
        Console.printError("Nothing was changed: there is no administrator " + userName.replaceAll("\\p{Cntrl}", "?")
                + "; the first one, " + FirstAdministrator.USER_NAME + ", is made when the broker first starts");
        return 1;
    }
}
