package io.heddle.core.authentication.csv;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of the users in EMQX's built-in database. Its files do not say how the passwords were hashed.
 *
 * @param saltPosition whether the salt was before or behind the password
 * @param onWarning receives the lines that are imported without a property of the user
 */
public record EmqxUsers(
        Algorithm algorithm, SaltPosition saltPosition, UserIdType userIdType, Consumer<LineProblem> onWarning) {
    private static final Pattern HEXADECIMAL = Pattern.compile("[0-9a-fA-F]+");

    public enum Algorithm {
        SHA256,
        SHA512,
        BCRYPT;

        /** Returns the name in EMQX's configuration. */
        @Override
        public String toString() {
            return lower(this);
        }
    }

    public enum SaltPosition {
        PREFIX,
        SUFFIX;

        /** Returns the name in EMQX's configuration. */
        @Override
        public String toString() {
            return lower(this);
        }
    }

    /** The meaning of {@code user_id}. */
    public enum UserIdType {
        USERNAME,
        CLIENTID;

        /** Returns the name in EMQX's configuration. */
        @Override
        public String toString() {
            return lower(this);
        }
    }

    /**
     * A user, as the file has it. Null and empty values are absent.
     *
     * @param password instead of hash and salt
     */
    public record EmqxUser(
            @Nullable String userId,
            @Nullable String passwordHash,
            @Nullable String salt,
            @Nullable String password,
            boolean isSuperuser) {}

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the credentials of a user in some lines of the file. */
    public ImportLine line(long line, long lastLine, EmqxUser user) {
        boolean isClientId = userIdType == UserIdType.CLIENTID;
        String hash = user.passwordHash() == null ? "" : user.passwordHash();
        String problem = hash.isEmpty() ? null : problem(hash, user.salt());
        if (problem != null) {
            return ImportLine.wrong(line, lastLine, problem);
        }
        if (user.isSuperuser()) {
            onWarning.accept(new LineProblem(
                    line,
                    lastLine,
                    "The user is a superuser in EMQX, which Heddle does not have: if your rules for topics deny by default,"
                            + " begin them with 'allow all # for " + (isClientId ? "client ID" : "user NAME") + "'."));
        }
        return new ImportLine(
                line,
                lastLine,
                isClientId ? user.userId() : null,
                isClientId ? null : user.userId(),
                null,
                null,
                hash.isEmpty() ? user.password() : null,
                hash.isEmpty() ? null : stored(hash, user.salt()),
                null);
    }

    private @Nullable String problem(String hash, @Nullable String salt) {
        if (algorithm == Algorithm.BCRYPT) {
            return hash.startsWith("$2") ? null : "The password hash is not one of bcrypt" + remedy();
        }
        int digits = algorithm == Algorithm.SHA256 ? 64 : 128;
        if (hash.length() != digits || !HEXADECIMAL.matcher(hash).matches()) {
            return "The password hash does not have the " + digits + " hexadecimal digits of " + algorithm + remedy();
        }
        return salt == null || salt.isEmpty()
                ? "It has no salt, and hashes without one are not supported: give the user a new password."
                : null;
    }

    private static String remedy() {
        return ": name the algorithm of EMQX with --emqx-algorithm; if it is another one than sha256, sha512 and bcrypt,"
                + " give the users new passwords.";
    }

    private String stored(String hash, @Nullable String salt) {
        return algorithm == Algorithm.BCRYPT ? hash : "$" + algorithm + "$" + saltPosition + "$" + salt + "$" + hash;
    }
}
