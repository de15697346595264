package io.heddle.core.authentication;

import io.heddle.core.mqtt.BinaryData;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A method of enhanced authentication (MQTT 5.0, section 4.12): the server and the client exchange data until the method decides.
 * Thread-safe.
 */
public interface EnhancedMethod {
    /** The Authentication Method by which clients name it in CONNECT. */
    String name();

    /** Begins an exchange with one client: behind CONNECT, or to authenticate a connected client again. */
    Exchange begin();

    /** One exchange. Its steps are made one after the other, each on a virtual thread. */
    @FunctionalInterface
    interface Exchange {
        /**
         * Answers data of the client. May block.
         *
         * @param client what the client has shown in CONNECT; its user name is the one of the last challenge, if that had one
         * @param data null if the client has sent none
         * @return a challenge, which the client must answer, or the end of the exchange
         * @throws io.heddle.core.StoreUnavailableException if a required store or server does not answer in time
         */
        Step answer(ConnectCredentials client, @Nullable BinaryData data);
    }

    /** The answer of a method to data of a client. */
    sealed interface Step permits Challenge, AuthenticationOutcome {}

    /**
     * The client must send more data.
     *
     * @param userName that the client claims from now on, for limits and logs; null if it has not said so
     */
    record Challenge(BinaryData data, @Nullable String userName) implements Step {}

    /** A method whose data is what its authenticator expects as password; it needs no challenge. */
    static EnhancedMethod ofPassword(String name, Authenticator authenticator) {
        Exchange exchange = (client, data) -> {
            AuthenticationOutcome outcome = authenticator.authenticate(client.withPassword(data));
            return outcome == null ? Authentication.NO_MATCH : outcome;
        };
        return of(name, () -> exchange);
    }

    static EnhancedMethod of(String name, Supplier<Exchange> exchanges) {
        return new EnhancedMethod() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Exchange begin() {
                return exchanges.get();
            }
        };
    }
}
