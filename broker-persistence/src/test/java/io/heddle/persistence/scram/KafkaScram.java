package io.heddle.persistence.scram;

import java.security.NoSuchAlgorithmException;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslException;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.scram.internals.ScramSaslClient;

/** The SCRAM client of Kafka's library. */
public final class KafkaScram {
    private KafkaScram() {}

    public static SaslClient client(ScramAlgorithm algorithm, String userName, String password) throws SaslException {
        try {
            return new ScramSaslClient(ScramMechanism.forMechanismName(algorithm.mechanism()), callbacks -> {
                for (Callback each : callbacks) {
                    switch (each) {
                        case NameCallback name -> name.setName(userName);
                        case PasswordCallback secret -> secret.setPassword(password.toCharArray());
                        default -> {}
                    }
                }
            });
        } catch (NoSuchAlgorithmException impossible) {
            throw new SaslException("no " + algorithm, impossible);
        }
    }
}
