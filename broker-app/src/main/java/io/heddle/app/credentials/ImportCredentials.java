package io.heddle.app.credentials;

import io.heddle.app.console.Console;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.csv.CredentialsImport;
import io.heddle.core.authentication.csv.ImportSettings;
import io.heddle.core.authentication.csv.LineProblem;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.password.Argon2PasswordHash;
import io.heddle.persistence.postgres.PostgresCredentials;
import io.heddle.persistence.postgres.PostgresDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Imports credentials from a file. Computes as many hashes at once as the machine has processors. */
@Command(
        name = "import",
        description = {
            "Stores the credentials of a CSV file. Its first line names the columns: clientId, userName or both, type (device or"
                    + " application; default: device), and either password or passwordHash (Argon2id in PHC format, bcrypt, or a hash of Mosquitto or EMQX).",
            "Or stores the users of Mosquitto's password file, or those of EMQX's built-in database in CSV or JSON. The first line shows"
                    + " which format the file has.",
            "Plain passwords take time: each is hashed with 19 MiB of memory. Password hashes are stored as they are."
        })
final class ImportCredentials implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "file in UTF-8")
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private Path file;

    @Option(
            names = "--replace",
            description = "replace credentials for the same client id and user name; otherwise such lines are rejected")
    private boolean replace;

    @Option(
            names = "--if-empty",
            description = "store nothing if credentials are stored already, for scripts that run at each start; nothing"
                    + " either if a line is wrong, because the next run would find credentials")
    private boolean ifEmpty;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES}, if the first line does not show it; heddle is CSV")
    private @Nullable FileFormat format;

    @Mixin
    private final EmqxOptions emqx = new EmqxOptions();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException(
                    file + " does not exist or cannot be read: give the path of a file with credentials");
        }
        return database.with(this::run);
    }

    private int run(PostgresDatabase open) {
        PostgresCredentials credentials = new PostgresCredentials(() -> open);
        if (ifEmpty && !credentials.list(0, 1).isEmpty()) {
            Console.print("Credentials are stored already; nothing is imported");
            return 0;
        }
        int processors = Runtime.getRuntime().availableProcessors();
        PasswordHash passwordHash = new Argon2PasswordHash(processors, new SecureRandom(), new SimpleMeterRegistry());
        ImportSettings settings = new ImportSettings(replace, Long.MAX_VALUE, Argon2PasswordHash::isHash);
        try (ExecutorService hashing = Executors.newFixedThreadPool(
                processors, Thread.ofPlatform().daemon().name("heddle-hash-", 0).factory())) {
            FileFormat found = format == null ? recognize() : format;
            if (ifEmpty && hasWrongLines(found, credentials, passwordHash, settings)) {
                Console.printError("Nothing was stored: correct these lines and repeat the import");
                return 1;
            }
            CredentialsImport.Result result;
            try (InputStream input = Files.newInputStream(file)) {
                result = new CredentialsImport(credentials, passwordHash, hashing, settings, ImportCredentials::print)
                        .run(found.open(input, emqx.users(ImportCredentials::print)));
            }
            Console.print("Stored: " + result.stored() + ", rejected: " + result.rejected());
            if (found.isOfEmqx()) {
                Console.printError(emqx.assumption());
            }
            return result.rejected() == 0 ? 0 : 1;
        } catch (IOException failure) {
            throw new StartupException(file + " cannot be read: check the file and repeat the import", failure);
        }
    }

    private FileFormat recognize() throws IOException {
        try (InputStream input = Files.newInputStream(file)) {
            return FileFormat.recognize(input);
        }
    }

    private boolean hasWrongLines(
            FileFormat found, PostgresCredentials credentials, PasswordHash passwordHash, ImportSettings settings)
            throws IOException {
        try (InputStream input = Files.newInputStream(file)) {
            return new CredentialsImport(credentials, passwordHash, Runnable::run, settings, ImportCredentials::print)
                            .check(found.open(input, emqx.users(_ -> {})))
                    > 0;
        }
    }

    private static void print(LineProblem problem) {
        Console.printError((problem.line() == problem.lastLine()
                        ? "line " + problem.line()
                        : "lines " + problem.line() + " to " + problem.lastLine())
                + ": " + problem.message());
    }
}
