package io.heddle.core.authentication.csv;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.authentication.CredentialsQuery.Names;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.GroupNames;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.authentication.certificate.CertificatePin;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Imports the credentials of a file. Lines are stored in batches of {@value #BATCH}, so a failure of the store leaves the earlier batches
 * stored; an import can be repeated. Used by one thread.
 */
public final class CredentialsImport {
    private static final int BATCH = 500;
    private static final int MAX_NAME_BYTES = 1_024;
    private static final int MAX_PASSWORD_BYTES = 65_535;

    // Dependencies.
    private final CredentialsStore store;
    private final PasswordHash passwordHash;
    private final Executor hashing;
    private final ImportSettings settings;
    private final Consumer<LineProblem> onProblem;

    // Of the import.
    private long passwords;
    private long stored;
    private long rejected;
    private boolean onlyChecks;

    // Of the batch.
    private final List<Line> batch = new ArrayList<>();
    private final Set<Names> names = new HashSet<>();

    private record Line(long number, long lastNumber, CompletableFuture<StoredCredentials> credentials) {}

    /** The number of credentials that were stored, and of lines that were not. */
    public record Result(long stored, long rejected) {}

    /**
     * Prepares an import.
     *
     * @param passwordHash bounds the hashes that are computed at once
     * @param hashing runs the hashes of a batch, each as a task that may block
     * @param onProblem is told of each line that is not imported, on the thread of the import
     */
    public CredentialsImport(
            CredentialsStore store,
            PasswordHash passwordHash,
            Executor hashing,
            ImportSettings settings,
            Consumer<LineProblem> onProblem) {
        this.store = store;
        this.passwordHash = passwordHash;
        this.hashing = hashing;
        this.settings = settings;
        this.onProblem = onProblem;
    }

    /**
     * Imports all lines. Called once. Each line is stored or rejected, except empty ones.
     *
     * @throws io.heddle.core.StoreUnavailableException if the store does not answer; earlier batches are stored
     */
    public Result run(ImportLines lines) throws IOException {
        read(lines);
        return new Result(stored, rejected);
    }

    /**
     * Reads all lines and stores none. Called once, in place of {@link #run}.
     *
     * @return the number of lines that would be rejected, whatever is stored
     */
    public long check(ImportLines lines) throws IOException {
        onlyChecks = true;
        read(lines);
        return rejected;
    }

    private void read(ImportLines lines) throws IOException {
        for (ImportLine next = lines.next(); next != null; next = lines.next()) {
            String problem = next.problem() == null ? add(next) : next.problem();
            if (problem != null) {
                reject(next.line(), next.lastLine(), problem);
            }
            if (batch.size() == BATCH) {
                storeBatch();
            }
        }
        storeBatch();
    }

    /** Returns why the line is not imported, or null. */
    private @Nullable String add(ImportLine line) {
        String clientId = line.clientId();
        String userName = line.userName();
        ClientType type = type(line.type());
        if (clientId == null && userName == null) {
            return "It has neither a client id nor a user name.";
        }
        if (!isText(clientId, MAX_NAME_BYTES) || !isText(userName, MAX_NAME_BYTES)) {
            return "A name has a control character or more than " + MAX_NAME_BYTES + " bytes.";
        }
        if (type == null) {
            return "The type is neither DEVICE nor APPLICATION.";
        }
        List<String> groups = GroupNames.split(line.groups());
        String groupFault = GroupNames.fault(groups);
        if (groupFault != null) {
            return groupFault;
        }
        String hash = line.passwordHash();
        String password = line.password();
        if (hash == null && (password == null || password.isEmpty() || !isText(password, MAX_PASSWORD_BYTES))) {
            return "The password is empty, has a control character or is too long.";
        }
        String hashFault = hash == null ? null : fault(hash, userName);
        if (hashFault != null) {
            return hashFault;
        }
        if (password != null && passwords >= settings.maximumPasswords()) {
            return "There are more than " + settings.maximumPasswords()
                    + " plain passwords: use ./heddle credentials import, or password hashes.";
        }
        passwords += password == null ? 0 : 1;
        if (onlyChecks) {
            return null;
        }
        if (!names.add(new Names(clientId, userName))) {
            // Within a batch the store cannot tell which one is the later one.
            storeBatch();
            names.add(new Names(clientId, userName));
        }
        ClientId id = clientId == null ? null : new ClientId(clientId);
        Function<String, StoredCredentials> toCredentials =
                stored -> new StoredCredentials(UUID.randomUUID(), id, userName, type, groups, stored, null);
        CertificatePin pin = hash == null ? null : CertificatePin.ofStored(hash);
        batch.add(new Line(
                line.line(),
                line.lastLine(),
                hash != null
                        ? CompletableFuture.completedFuture(toCredentials.apply(pin == null ? hash : pin.stored()))
                        : CompletableFuture.supplyAsync(
                                () -> toCredentials.apply(hash(Objects.requireNonNull(password))), hashing)));
        return null;
    }

    /** Returns what is wrong with a hash, or the pin in its place; null if credentials with the user name can have it. */
    private @Nullable String fault(String hash, @Nullable String userName) {
        if (hash.startsWith(CertificatePin.PREFIX)) {
            return CertificatePin.fault(hash.substring(CertificatePin.PREFIX.length()), userName);
        }
        return settings.hashes().accepts(hash)
                ? null
                : "The password hash has no known format (Argon2id in PHC format, bcrypt, or one of Mosquitto or EMQX),"
                        + " or exceeds the limits of its parameters.";
    }

    private String hash(String password) {
        return passwordHash.hash(BinaryData.wrap(password.getBytes(UTF_8)));
    }

    private void storeBatch() {
        if (batch.isEmpty()) {
            return;
        }
        List<StoredCredentials> credentials = new ArrayList<>();
        for (Line line : batch) {
            credentials.add(join(line));
        }
        Set<UUID> done = store.putAll(credentials, settings.replace());
        stored += done.size();
        for (int i = 0; i < batch.size(); i++) {
            if (!done.contains(credentials.get(i).id())) {
                reject(batch.get(i).number(), batch.get(i).lastNumber(), "Credentials for the same names exist.");
            }
        }
        batch.clear();
        names.clear();
    }

    private static StoredCredentials join(Line line) {
        try {
            return line.credentials().join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }

    private void reject(long line, long lastLine, String message) {
        rejected += lastLine - line + 1;
        onProblem.accept(new LineProblem(line, lastLine, message));
    }

    private static @Nullable ClientType type(@Nullable String text) {
        if (text == null) {
            return ClientType.DEVICE;
        }
        for (ClientType type : ClientType.values()) {
            if (type.name().equals(text.toUpperCase(Locale.ROOT))) {
                return type;
            }
        }
        return null;
    }

    private static boolean isText(@Nullable String text, int maximumBytes) {
        return text == null
                || (text.codePoints().noneMatch(Character::isISOControl)
                        && text.getBytes(UTF_8).length <= maximumBytes);
    }
}
