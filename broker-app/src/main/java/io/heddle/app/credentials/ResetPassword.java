package io.heddle.app.credentials;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.app.console.Console;
import io.heddle.core.administration.AdminPassword;
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

/** Changes the password of an administrator. A running broker reads it at each sign-in, so the change takes effect immediately. */
@Command(
        name = "reset-password",
        description =
                "Changes the password of an administrator. Prompts for it, reads it as one line from standard input, or"
                        + " generates it. The change takes effect immediately, also in a running broker.")
public final class ResetPassword implements Callable<Integer> {
    private final SecureRandom random = new SecureRandom();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--username",
            paramLabel = "NAME",
            description = "administrator whose password is changed (default: ${DEFAULT-VALUE})",
            defaultValue = FirstAdministrator.USER_NAME)
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private String userName;

    @Option(names = "--generate", description = "generate the password and print it")
    private boolean generate;

    @Override
    public Integer call() {
        return database.withStored(open -> reset(open, generate ? null : entered()));
    }

    private BinaryData entered() {
        BinaryData password = PasswordPrompt.read();
        String fault = AdminPassword.fault(userName, new String(password.array(), UTF_8));
        if (fault != null) {
            throw new IllegalArgumentException("the password is too weak or unusable. " + fault);
        }
        return password;
    }

    private int reset(PostgresDatabase open, @Nullable BinaryData entered) {
        AdminUsers users = new PostgresAdminUsers(() -> open);
        if (users.find(userName) == null) {
            return unknownUser();
        }
        BinaryData password = entered == null ? generated() : entered;
        String hash = new Argon2PasswordHash(1, random, new SimpleMeterRegistry()).hash(password);
        if (!users.changePassword(userName, hash)) {
            return unknownUser();
        }
        Console.print("Changed the password of administrator " + userName);
        return 0;
    }

    /** Prints the password before it is stored, so that a failure to print does not lock out the administrator. */
    private BinaryData generated() {
        String password = GeneratedPassword.draw(random);
        Console.print("Password: " + password);
        return BinaryData.wrap(password.getBytes(UTF_8));
    }

    private int unknownUser() {
        Console.printError("Nothing was changed: there is no administrator " + userName.replaceAll("\\p{Cntrl}", "?")
                + "; the first one, " + FirstAdministrator.USER_NAME + ", is created at the first start of the broker");
        return 1;
    }
}
