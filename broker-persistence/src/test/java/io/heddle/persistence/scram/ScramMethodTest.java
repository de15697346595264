package io.heddle.persistence.scram;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authentication.EnhancedMethod.Challenge;
import io.heddle.core.authentication.EnhancedMethod.Exchange;
import io.heddle.core.authentication.EnhancedMethod.Step;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Objects;
import java.util.UUID;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exchanges with clients that know the password, and with clients that lie. */
final class ScramMethodTest {
    private static final UUID CLUSTER = new UUID(1, 2);
    private static final ConnectCredentials SHOWN = new ConnectCredentials(
            new ClientId("c"), null, null, new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711));

    /** From section 3 of RFC 7677. */
    private static final String RFC_SALT = "W22ZaJ0SNY7soEsUEjb6gQ==";

    private static final String RFC_NONCE = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    private static final String RFC_FIRST = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO";
    private static final String RFC_CHALLENGE = "r=rOprNGfwEbeRWgbNEkqO" + RFC_NONCE + ",s=" + RFC_SALT + ",i=4096";
    private static final String RFC_FINAL =
            "c=biws,r=rOprNGfwEbeRWgbNEkqO" + RFC_NONCE + ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
    private static final String RFC_SIGNATURE = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";

    private final InMemoryCredentialsStore store = new InMemoryCredentialsStore();
    private final SecureRandom random = new SecureRandom();

    static BinaryData data(String text) {
        return BinaryData.wrap(text.getBytes(UTF_8));
    }

    private static String text(Step step) {
        return new String(
                switch (step) {
                    case Challenge(BinaryData data, var _) -> data.array();
                    case Accepted accepted ->
                        Objects.requireNonNull(accepted.data()).array();
                    case Refused refused -> throw new AssertionError(refused);
                },
                UTF_8);
    }

    private ScramMethod method(ScramAlgorithm algorithm) {
        return new ScramMethod(algorithm, store, () -> CLUSTER, random);
    }

    private ScramMethod rfcMethod() {
        return new ScramMethod(ScramAlgorithm.SHA_256, store, () -> CLUSTER, () -> RFC_NONCE);
    }

    private StoredCredentials put(@Nullable String clientId, @Nullable String userName, String hash) {
        StoredCredentials credentials = new StoredCredentials(
                UUID.randomUUID(),
                clientId == null ? null : new ClientId(clientId),
                userName,
                ClientType.APPLICATION,
                hash);
        store.put(credentials);
        return credentials;
    }

    private StoredCredentials putRfcUser() {
        BinaryData salt = BinaryData.wrap(Base64.getDecoder().decode(RFC_SALT));
        return put(
                null,
                "user",
                ScramVerifier.of(ScramAlgorithm.SHA_256, data("pencil"), salt, 4_096)
                        .text());
    }

    private StoredCredentials putUser(ScramAlgorithm algorithm, String userName, String password) {
        return put(
                null,
                userName,
                ScramVerifier.create(algorithm, data(password), random).text());
    }

    private static void assertRefused(Step step, ReasonCode reason) {
        assertThat(step)
                .isInstanceOf(Refused.class)
                .extracting(each -> ((Refused) each).reason())
                .isEqualTo(reason);
    }

    private static void assertWrong(Step step) {
        assertRefused(step, ReasonCode.BAD_USER_NAME_OR_PASSWORD);
    }

    @Test
    void theExampleOfTheRfc() {
        StoredCredentials stored = putRfcUser();
        Exchange exchange = rfcMethod().begin();

        Step challenge = exchange.answer(SHOWN, data(RFC_FIRST));
        Step outcome = exchange.answer(SHOWN.claiming("user"), data(RFC_FINAL));

        assertThat(text(challenge)).isEqualTo(RFC_CHALLENGE);
        assertThat(challenge).isEqualTo(new Challenge(data(RFC_CHALLENGE), "user"));
        assertThat(text(outcome)).isEqualTo(RFC_SIGNATURE);
        assertThat(((Accepted) outcome).identity())
                .isEqualTo(
                        new ClientIdentity(SHOWN.clientId(), ClientType.APPLICATION, "user", false, stored.version()));
    }

    @Test
    void aClientWithoutInitialDataIsAskedForIt() {
        putRfcUser();
        Exchange exchange = rfcMethod().begin();

        assertThat(exchange.answer(SHOWN, null)).isEqualTo(new Challenge(BinaryData.EMPTY, null));
        assertThat(text(exchange.answer(SHOWN, data(RFC_FIRST)))).isEqualTo(RFC_CHALLENGE);
        assertThat(text(exchange.answer(SHOWN, data(RFC_FINAL)))).isEqualTo(RFC_SIGNATURE);

        Exchange mute = rfcMethod().begin();
        mute.answer(SHOWN, null);
        assertRefused(mute.answer(SHOWN, null), ReasonCode.NOT_AUTHORIZED);
    }

    private Step run(ScramAlgorithm algorithm, SaslClient client) throws SaslException {
        Exchange exchange = method(algorithm).begin();
        byte[] said = client.evaluateChallenge(new byte[0]);
        ConnectCredentials shown = SHOWN;
        while (true) {
            Step step = exchange.answer(shown, BinaryData.wrap(said));
            switch (step) {
                case Challenge challenge -> {
                    shown = shown.claiming(challenge.userName());
                    said = client.evaluateChallenge(challenge.data().array());
                }
                case Accepted accepted -> {
                    client.evaluateChallenge(
                            Objects.requireNonNull(accepted.data()).array());
                    assertThat(client.isComplete())
                            .as("the client has checked the signature of the broker")
                            .isTrue();
                    return step;
                }
                case Refused _ -> {
                    return step;
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ScramAlgorithm.class)
    void theClientOfKafka(ScramAlgorithm algorithm) throws Exception {
        putUser(algorithm, "a=b,ö", "correct horse");

        assertThat(run(algorithm, KafkaScram.client(algorithm, "a=b,ö", "correct horse")))
                .isInstanceOf(Accepted.class);
        assertWrong(run(algorithm, KafkaScram.client(algorithm, "a=b,ö", "wrong horse")));
        assertWrong(run(algorithm, KafkaScram.client(algorithm, "nobody", "correct horse")));
    }

    @ParameterizedTest
    @CsvSource({"ada, correct horse", "a=b, x", "Ⅸ, I\u00ADX", "µ\u00A0m, \u00AA\u2168"})
    void theClientOfPostgres(String userName, String password) throws Exception {
        ScramAlgorithm algorithm = ScramAlgorithm.SHA_256;
        putUser(algorithm, ScramVerifier.prepared(userName), password);
        OngresScram client = new OngresScram(algorithm, userName, password);
        Exchange exchange = method(algorithm).begin();

        String challenge = text(exchange.answer(SHOWN, data(client.first())));
        String signature = text(exchange.answer(SHOWN, data(client.last(challenge))));

        client.check(signature);
    }

    @Test
    void aBrokerWithoutTheVerifierCannotSign() throws Exception {
        putUser(ScramAlgorithm.SHA_256, "ada", "correct horse");
        OngresScram client = new OngresScram(ScramAlgorithm.SHA_256, "ada", "correct horse");
        Exchange exchange = method(ScramAlgorithm.SHA_256).begin();
        client.last(text(exchange.answer(SHOWN, data(client.first()))));

        assertThatThrownBy(() -> client.check(RFC_SIGNATURE)).hasMessageContaining("signature");
    }

    private String challenge(ScramAlgorithm algorithm, String userName) {
        return text(method(algorithm).begin().answer(SHOWN, data("n,,n=" + userName + ",r=nonce")));
    }

    private static String salt(String challenge) {
        return challenge.substring(challenge.indexOf(",s="));
    }

    @Test
    void unknownUsersLookLikeUsers() {
        putUser(ScramAlgorithm.SHA_256, "ada", "x");
        put(null, "bob", "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA");
        putUser(ScramAlgorithm.SHA_512, "eve", "x");

        String real = challenge(ScramAlgorithm.SHA_256, "ada");
        for (String name : new String[] {"bob", "eve", "nobody"}) {
            String decoy = challenge(ScramAlgorithm.SHA_256, name);
            assertThat(decoy).hasSameSizeAs(real).endsWith(",i=15000");
            assertThat(salt(decoy))
                    .isEqualTo(salt(challenge(ScramAlgorithm.SHA_256, name)))
                    .isNotEqualTo(salt(challenge(ScramAlgorithm.SHA_256, name + "2")));
            assertThat(salt(decoy))
                    .as("at another node")
                    .isEqualTo(salt(text(new ScramMethod(
                                    ScramAlgorithm.SHA_256, new InMemoryCredentialsStore(), () -> CLUSTER, random)
                            .begin()
                            .answer(SHOWN, data("n,,n=" + name + ",r=nonce")))));
            assertThat(salt(decoy))
                    .as("in another cluster")
                    .isNotEqualTo(salt(text(new ScramMethod(ScramAlgorithm.SHA_256, store, () -> new UUID(3, 4), random)
                            .begin()
                            .answer(SHOWN, data("n,,n=" + name + ",r=nonce")))));
        }
        assertThat(real).isNotEqualTo(challenge(ScramAlgorithm.SHA_256, "ada"));
        assertThat(salt(real)).isEqualTo(salt(challenge(ScramAlgorithm.SHA_256, "ada")));
    }

    @Test
    void usersWithoutAVerifierFailLikeAWrongPassword() throws Exception {
        put(null, "bob", "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA");
        putUser(ScramAlgorithm.SHA_512, "eve", "x");
        putUser(ScramAlgorithm.SHA_256, "ada", "x");
        ScramAlgorithm algorithm = ScramAlgorithm.SHA_256;

        Step wrong = run(algorithm, KafkaScram.client(algorithm, "ada", "y"));
        assertWrong(wrong);
        assertThat(run(algorithm, KafkaScram.client(algorithm, "bob", "x"))).isEqualTo(wrong);
        assertThat(run(algorithm, KafkaScram.client(algorithm, "eve", "x"))).isEqualTo(wrong);
        assertThat(run(algorithm, KafkaScram.client(algorithm, "nobody", "x"))).isEqualTo(wrong);
    }

    @Test
    void aClientIdOfOthersIsNotAdmitted() throws Exception {
        put(
                "c",
                "bob",
                ScramVerifier.create(ScramAlgorithm.SHA_256, data("y"), random).text());
        putUser(ScramAlgorithm.SHA_256, "ada", "x");

        assertWrong(run(ScramAlgorithm.SHA_256, KafkaScram.client(ScramAlgorithm.SHA_256, "ada", "x")));
    }

    @Test
    void credentialsOfAClientIdProveNoUser() throws Exception {
        put(
                "c",
                null,
                ScramVerifier.create(ScramAlgorithm.SHA_256, data("x"), random).text());

        Step step = run(ScramAlgorithm.SHA_256, KafkaScram.client(ScramAlgorithm.SHA_256, "any", "x"));

        ClientIdentity identity = ((Accepted) step).identity();
        assertThat(identity.userName()).isNull();
        assertThat(identity.ownsClientId()).isTrue();
    }

    @Test
    void theUserNameOfConnectMustBeTheSame() {
        putRfcUser();

        assertRefused(rfcMethod().begin().answer(SHOWN.claiming("other"), data(RFC_FIRST)), ReasonCode.NOT_AUTHORIZED);
        assertThat(text(rfcMethod().begin().answer(SHOWN.claiming("user"), data(RFC_FIRST))))
                .isEqualTo(RFC_CHALLENGE);
    }

    @Test
    void aReplayedMessageFails() {
        putRfcUser();
        Exchange exchange = method(ScramAlgorithm.SHA_256).begin();
        exchange.answer(SHOWN, data(RFC_FIRST));

        assertWrong(exchange.answer(SHOWN, data(RFC_FINAL)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // The channel binding flag, or the header, was changed on the way.
                "c=eSws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
                // Another nonce, and only that of the client.
                "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k1,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
                "c=biws,r=rOprNGfwEbeRWgbNEkqO,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
                // Another proof, a short one, one of another length, and an extension that was not signed.
                "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=eHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
                "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzb",
                "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZ",
                "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,x=1,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
            })
    void aTamperedLastMessageFails(String last) {
        putRfcUser();
        Exchange exchange = rfcMethod().begin();
        exchange.answer(SHOWN, data(RFC_FIRST));

        assertWrong(exchange.answer(SHOWN, data(last)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "n",
                "c=biws",
                "c=biws,r=x,p=",
                "c=biws,r=x,p=????",
                "c=,r=x,p=dHzb",
                "r=x,c=biws,p=dHzb",
                "n,,n=user,r=rOprNGfwEbeRWgbNEkqO",
                "c=biws,r=x,p=dHzb,x=1"
            })
    void aMalformedLastMessageIsRefused(String last) {
        putRfcUser();
        Exchange exchange = rfcMethod().begin();
        exchange.answer(SHOWN, data(RFC_FIRST));

        assertRefused(exchange.answer(SHOWN, data(last)), ReasonCode.NOT_AUTHORIZED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "n,,",
                "n,,n=user",
                "n,,n=,r=x",
                "n,,n=user,r=",
                "n,,r=x,n=user",
                "n,,n=us=er,r=x",
                "n,,n=us\u0000er,r=x",
                "n,,n=us\ner,r=x",
                "n,,n=user=2,r=x",
                "n,,n=user=2c,r=x",
                "n,,n=user,r=x y",
                "n,,n=user,r=ä",
                "N,,n=user,r=x",
                "n,n=user,r=x",
                "n,b=user,n=user,r=x",
                // Channel binding, and an extension that the broker would have to know.
                "p=tls-exporter,,n=user,r=x",
                "p=,,n=user,r=x",
                "n,,m=1,n=user,r=x",
                // Acts for another user.
                "n,a=admin,n=user,r=x"
            })
    void aMalformedFirstMessageIsRefused(String first) {
        putRfcUser();

        assertRefused(rfcMethod().begin().answer(SHOWN, data(first)), ReasonCode.NOT_AUTHORIZED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"y,,n=user,r=x", "n,a=user,n=user,r=x", "y,a=user,n=user,r=x,e=1,f=2"})
    void allowedFirstMessages(String first) {
        putRfcUser();

        assertThat(text(rfcMethod().begin().answer(SHOWN, data(first)))).startsWith("r=x" + RFC_NONCE);
    }

    @Test
    void hugeAndBinaryMessagesAreRefused() {
        BinaryData huge = data("n,,n=user,r=x,e=" + "1".repeat(2_048));
        BinaryData binary = BinaryData.wrap(new byte[] {'n', ',', ',', 'n', '=', (byte) 0xC3, ',', 'r', '=', 'x'});

        assertRefused(rfcMethod().begin().answer(SHOWN, huge), ReasonCode.NOT_AUTHORIZED);
        assertRefused(rfcMethod().begin().answer(SHOWN, binary), ReasonCode.NOT_AUTHORIZED);
    }
}
