package io.heddle.persistence.scram;

import com.ongres.scram.client.ScramClient;
import com.ongres.scram.common.exception.ScramException;
import java.util.List;

/** The SCRAM client of PostgreSQL's JDBC driver, which uses SASLprep. */
final class OngresScram {
    private final ScramClient client;

    OngresScram(ScramAlgorithm algorithm, String userName, String password) {
        client = ScramClient.builder()
                .advertisedMechanisms(List.of(algorithm.mechanism()))
                .username(userName)
                .password(password.toCharArray())
                .build();
    }

    String first() {
        return client.clientFirstMessage().toString();
    }

    String last(String challenge) throws ScramException {
        client.serverFirstMessage(challenge);
        return client.clientFinalMessage().toString();
    }

    /** Throws if the broker does not have the verifier. */
    void check(String signature) throws ScramException {
        client.serverFinalMessage(signature);
    }
}
