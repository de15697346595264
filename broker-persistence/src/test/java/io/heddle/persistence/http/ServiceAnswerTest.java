package io.heddle.persistence.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.ClientType;
import io.heddle.persistence.http.ServiceAnswer.Result;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an answer means; that which is not understood is no answer. */
final class ServiceAnswerTest {
    private static ServiceAnswer parse(String body) throws UnusableAnswerException {
        return ServiceAnswer.parse(200, body.getBytes(UTF_8));
    }

    private static void assertUnusable(String body, String detail) {
        assertThatThrownBy(() -> parse(body))
                .isInstanceOfSatisfying(
                        UnusableAnswerException.class,
                        failure -> assertThat(failure.outcome()).isEqualTo("malformed"))
                .hasMessageContaining(detail);
    }

    @Test
    void theAnswerDescribesTheClient() throws Exception {
        String body = """
                {"result": "allow", "clientType": "APPLICATION", "userName": "alice", "ownsClientId": true,
                 "groups": ["operators", "night"], "attributes": {"site": "paris", "floor": 3, "indoor": true},
                 "expireAt": 1793000000}""";

        assertThat(parse(body))
                .isEqualTo(new ServiceAnswer(
                        Result.ALLOW,
                        ClientType.APPLICATION,
                        "alice",
                        true,
                        Set.of("operators", "night"),
                        Map.of("site", "paris", "floor", "3", "indoor", "true"),
                        Instant.ofEpochSecond(1_793_000_000),
                        body.length()));
    }

    @Test
    void anAnswerForEmqxIsUnderstood() throws Exception {
        ServiceAnswer answer = parse("""
                {"result": "allow", "is_superuser": false, "client_attrs": {"site": "paris"}, "expire_at": 1793000000}""");

        assertThat(answer.attributes()).isEqualTo(Map.of("site", "paris"));
        assertThat(answer.end()).isEqualTo(Instant.ofEpochSecond(1_793_000_000));
    }

    @Test
    void missingMembersHaveDefaults() throws Exception {
        for (String body : new String[] {
            "{\"result\": \"allow\"}",
            "{\"result\": \"allow\", \"clientType\": null, \"userName\": null, \"ownsClientId\": null, \"groups\": null,"
                    + " \"attributes\": null, \"expireAt\": null}"
        }) {
            assertThat(parse(body))
                    .isEqualTo(new ServiceAnswer(
                            Result.ALLOW, ClientType.DEVICE, null, false, Set.of(), Map.of(), null, body.length()));
        }
        assertThat(parse("{\"result\": \"deny\"}").result()).isEqualTo(Result.DENY);
        assertThat(parse("{\"result\": \"ignore\"}").result()).isEqualTo(Result.IGNORE);
    }

    @ParameterizedTest
    @CsvSource({"204,ALLOW", "401,DENY", "403,DENY"})
    void someStatusesAreAnswers(int status, Result result) throws Exception {
        ServiceAnswer answer = ServiceAnswer.parse(status, "<html>".getBytes(UTF_8));

        assertThat(answer.result()).isEqualTo(result);
        assertThat(answer.ownsClientId()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 206, 301, 302, 307, 404, 407, 429, 500, 502, 503})
    void otherStatusesAreFailures(int status) {
        assertThatStatusIs(status, "status");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 413, 414, 422, 431})
    void someStatusesRejectTheRequest(int status) {
        assertThatStatusIs(status, "rejected");
    }

    private static void assertThatStatusIs(int status, String outcome) {
        assertThatThrownBy(() -> ServiceAnswer.parse(status, "{\"result\": \"allow\"}".getBytes(UTF_8)))
                .isInstanceOfSatisfying(
                        UnusableAnswerException.class,
                        failure -> assertThat(failure.outcome()).isEqualTo(outcome))
                .hasMessageContaining("" + status);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        ``                                               | is not a JSON object
        <html>                                           | is not a JSON object
        allow                                            | is not a JSON object
        "allow"                                          | is not a JSON object
        [{"result": "allow"}]                            | is not a JSON object
        {"result": "allow"                               | is not a JSON object
        {"result": "allow"}}                             | is not a JSON object
        {"result": "allow"} {"result": "deny"}           | is not a JSON object
        {"result": "deny", "result": "allow"}            | is not a JSON object
        {}                                               | has a result other than
        {"result": null}                                 | has a result other than
        {"result": true}                                 | has a result other than
        {"result": "ALLOW"}                              | has a result other than
        {"result": ["allow"]}                            | has in result no text
        {"Result": "allow"}                              | has an unknown member: Result
        {"result": "allow", "group": ["a"]}              | has an unknown member: group
        {"result": "allow", "acl": []}                   | has an unknown member: acl
        {"result": "allow", "clientType": "device"}      | has a clientType
        {"result": "allow", "userName": ""}              | has in userName no text
        {"result": "allow", "userName": "a\\nb"}         | has in userName no text
        {"result": "allow", "userName": "\\ud800"}       | has in userName no text
        {"result": "allow", "ownsClientId": "true"}      | has an ownsClientId
        {"result": "allow", "groups": "operators"}       | has groups that are not an array
        {"result": "allow", "groups": [["operators"]]}   | has in groups no text
        {"result": "allow", "groups": [null]}            | has in groups no text
        {"result": "allow", "attributes": ["a"]}         | has attributes that are not an object
        {"result": "allow", "attributes": {"a b": "c"}}  | has an attribute whose name rules cannot use
        {"result": "allow", "attributes": {"a": {}}}     | has in attributes no text
        {"result": "allow", "attributes": {"a": 1.5}}    | has in attributes no text
        {"result": "allow", "expireAt": "1793000000"}    | has an expireAt
        {"result": "allow", "expireAt": 1.5}             | has an expireAt
        {"result": "allow", "expireAt": 99999999999999999999} | has an expireAt
        """)
    void anAnswerThatIsNotUnderstoodIsNone(String body, String detail) {
        assertUnusable(body, detail);
    }

    @Test
    void theNumberAndTheLengthOfTextsAreBounded() throws Exception {
        String most = IntStream.range(0, 100).mapToObj(i -> "\"g" + i + "\"").collect(Collectors.joining(","));
        String longest = "x".repeat(1_000);

        assertThat(parse("{\"result\": \"allow\", \"groups\": [" + most + "]}").groups())
                .hasSize(100);
        assertThat(parse("{\"result\": \"allow\", \"userName\": \"" + longest + "\"}")
                        .userName())
                .isEqualTo(longest);
        assertUnusable("{\"result\": \"allow\", \"groups\": [" + most + ",\"g\"]}", "at most 100");
        assertUnusable(
                "{\"result\": \"allow\", \"attributes\": {" + most.replace("\",", "\":1,") + ":1,\"g\":1}}",
                "at most 100");
        assertUnusable("{\"result\": \"allow\", \"userName\": \"x" + longest + "\"}", "more than 1000");
        assertUnusable("[".repeat(60_000), "is not a JSON object");
    }

    @Test
    void timesBeyondTheCalendarAreClamped() throws Exception {
        assertThat(parse("{\"result\": \"allow\", \"expireAt\": 9223372036854775807}")
                        .end())
                .isEqualTo(Instant.parse("9999-12-31T23:59:59Z"));
    }

    @Test
    void aSecretInTheAnswerIsNotInTheError() {
        assertThatThrownBy(() -> parse("{\"token\": secret"))
                .hasNoCause()
                .message()
                .doesNotContain("secret");
    }
}
