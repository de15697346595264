package io.heddle.persistence.scram;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authentication.EnhancedMethod;
import io.heddle.core.authentication.EnhancedMethod.Challenge;
import io.heddle.core.authentication.EnhancedMethod.Step;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/**
 * One SCRAM exchange. Used by one thread at a time.
 *
 * <p>States: new (a client without data gets an empty challenge, once) → challenged (with salt, iterations and nonce) → over. An unknown user, a
 * user without a verifier and a wrong password take the same steps and end with the same refusal. A malformed message, another nonce than that
 * of the challenge and changed channel binding flags are refused, too. A replayed message has the nonce of another exchange.
 */
final class ScramExchange implements EnhancedMethod.Exchange {
    /** Longer than any message of a client with names and nonces of usual lengths. */
    private static final int MAXIMUM_BYTES = 2_048;

    private static final Refused MALFORMED =
            new Refused(ReasonCode.NOT_AUTHORIZED, "a malformed message of SCRAM, or one that demands channel binding");
    private static final Refused WRONG = new Refused(
            ReasonCode.BAD_USER_NAME_OR_PASSWORD,
            "wrong password, unknown user or no verifier for this SCRAM mechanism");

    private final ScramMethod method;
    private boolean asked;
    private @Nullable Challenged challenged;

    /** What the challenge was made of. */
    private record Challenged(
            ClientFirst first,
            String nonce,
            String serverFirst,
            ScramVerifier verifier,
            @Nullable StoredCredentials credentials) {}

    ScramExchange(ScramMethod method) {
        this.method = method;
    }

    @Override
    public Step answer(ConnectCredentials client, @Nullable BinaryData data) {
        if (data == null && !asked) {
            asked = true;
            return new Challenge(BinaryData.EMPTY, null);
        }
        asked = true;
        String message = text(data);
        if (message == null) {
            return MALFORMED;
        }
        Challenged open = challenged;
        return open == null ? challenge(client, message) : decide(client, message, open);
    }

    private static @Nullable String text(@Nullable BinaryData data) {
        if (data == null || data.length() > MAXIMUM_BYTES) {
            return null;
        }
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(data.array())).toString();
        } catch (CharacterCodingException malformed) {
            return null;
        }
    }

    private Step challenge(ConnectCredentials client, String message) {
        ClientFirst first = ClientFirst.parse(message);
        if (first == null) {
            return MALFORMED;
        }
        if (isAnother(first.identity(), first.userName()) || isAnother(client.userName(), first.userName())) {
            return new Refused(
                    ReasonCode.NOT_AUTHORIZED, "the user of SCRAM is another one than that of CONNECT, or wants to be");
        }
        StoredCredentials credentials = method.find(client.clientId(), first.userName());
        ScramVerifier verifier = method.verifier(credentials, first.userName());
        String nonce = first.nonce() + method.nonce();
        String serverFirst =
                "r=" + nonce + ",s=" + ScramVerifier.base64(verifier.salt()) + ",i=" + verifier.iterations();
        challenged = new Challenged(first, nonce, serverFirst, verifier, credentials);
        return new Challenge(BinaryData.wrap(serverFirst.getBytes(UTF_8)), first.userName());
    }

    private static boolean isAnother(@Nullable String named, String userName) {
        return named != null && !named.equals(userName);
    }

    private static Step decide(ConnectCredentials client, String message, Challenged open) {
        ClientFinal last = ClientFinal.parse(message);
        if (last == null) {
            return MALFORMED;
        }
        byte[] messages = (open.first.bare() + "," + open.serverFirst + "," + last.unsigned()).getBytes(UTF_8);
        boolean isProven = open.verifier.isProvenBy(last.proof(), messages);
        boolean isOfExchange = last.nonce().equals(open.nonce)
                && last.header()
                        .equals(ScramVerifier.base64(
                                BinaryData.wrap(open.first.header().getBytes(UTF_8))));
        StoredCredentials credentials = open.credentials;
        if (!isProven || !isOfExchange || credentials == null) {
            return WRONG;
        }
        BinaryData signature = open.verifier.signature(messages);
        return credentials.accept(
                client.clientId(), BinaryData.wrap(("v=" + ScramVerifier.base64(signature)).getBytes(UTF_8)));
    }
}
