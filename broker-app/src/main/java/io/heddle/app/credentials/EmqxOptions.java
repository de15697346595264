package io.heddle.app.credentials;

import io.heddle.core.authentication.csv.EmqxUsers;
import io.heddle.core.authentication.csv.EmqxUsers.Algorithm;
import io.heddle.core.authentication.csv.EmqxUsers.SaltPosition;
import io.heddle.core.authentication.csv.EmqxUsers.UserIdType;
import io.heddle.core.authentication.csv.LineProblem;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Options that say what files of EMQX do not: settings of the authenticator that they come from. */
final class EmqxOptions {
    @Option(
            names = "--emqx-algorithm",
            paramLabel = "NAME",
            description = "password_hash_algorithm.name of EMQX: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Algorithm algorithm = Algorithm.SHA256;

    @Option(
            names = "--emqx-salt-position",
            paramLabel = "POSITION",
            description = "password_hash_algorithm.salt_position of EMQX: ${COMPLETION-CANDIDATES} (default:"
                    + " ${DEFAULT-VALUE})")
    private SaltPosition saltPosition = SaltPosition.PREFIX;

    @Option(
            names = "--emqx-user-id-type",
            paramLabel = "TYPE",
            description = "user_id_type of EMQX: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private UserIdType userIdType = UserIdType.USERNAME;

    EmqxUsers users(Consumer<LineProblem> onWarning) {
        return new EmqxUsers(algorithm, saltPosition, userIdType, onWarning);
    }

    /** Returns a sentence that says which hashes are expected. */
    String assumption() {
        return "Hashes of EMQX are taken as " + algorithm
                + (algorithm == Algorithm.BCRYPT ? "" : " with the salt as " + saltPosition + " of the password")
                + "; sign in as one of the users to see whether that is right";
    }
}
