package io.heddle.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.admin.request.ApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The requests that the commands send, and their exit statuses. */
final class AdminCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @AutoClose
    @SuppressWarnings("NullAway.Init") // Set before each test.
    private ApiServer server;

    @BeforeEach
    void start() throws IOException {
        server = ApiServer.start();
        Files.writeString(directory.resolve("password"), "secret");
    }

    private int run(String... words) {
        List<String> arguments = new ArrayList<>(List.of(words));
        arguments.addAll(List.of(
                "--url",
                server.uri().toString(),
                "--password-file",
                directory.resolve("password").toString()));
        return AdminCommand.run(arguments);
    }

    /** Runs a command that succeeds, and returns its only request. */
    private String request(String... words) {
        int before = server.requests().size();
        assertThat(run(words)).as(String.join(" ", words)).isZero();
        assertThat(server.requests()).hasSize(before + 1);
        return server.requests().getLast();
    }

    @Test
    void clientsAreListedShownAndChanged() {
        assertThat(request("clients", "list")).isEqualTo("GET /api/v1/clients?limit=1000");
        assertThat(request(
                        "clients",
                        "list",
                        "--prefix=a/",
                        "--client-id=*b",
                        "--user=u",
                        "--address=10.0.0.0/8",
                        "--node=n",
                        "--state=away",
                        "--type=device",
                        "--connected-after=2026-11-01T10:00:00Z",
                        "--connected-before=2026-12-01T10:00:00Z",
                        "--descending",
                        "--limit=5",
                        "--json"))
                .isEqualTo("GET /api/v1/clients?clientIdPrefix=a%2F&clientId=*b&userName=u&address=10.0.0.0%2F8&node=n"
                        + "&state=away&type=device&connectedAfter=2026-11-01T10%3A00%3A00Z"
                        + "&connectedBefore=2026-12-01T10%3A00%3A00Z&sort=-clientId&limit=5");
        assertThat(request("clients", "show", "a b")).isEqualTo("GET /api/v1/client?clientId=a+b");
        assertThat(request("clients", "subscriptions", "a"))
                .isEqualTo("GET /api/v1/client/subscriptions?clientId=a&limit=1000");
        assertThat(request("clients", "disconnect", "a")).isEqualTo("DELETE /api/v1/client/connection?clientId=a");
        assertThat(request("clients", "disconnect", "a", "--reason-code=137"))
                .isEqualTo("DELETE /api/v1/client/connection?clientId=a&reasonCode=137");
    }

    @Test
    void aSessionIsEndedIfThereIsSuchAClient() {
        assertThat(run("clients", "end", "a")).isZero();
        assertThat(server.requests())
                .containsExactly("GET /api/v1/client?clientId=a", "DELETE /api/v1/client/session?clientId=a");

        server.answer(404, "{\"detail\": \"There is no such client.\"}");
        assertThat(run("clients", "end", "b")).isZero();
        assertThat(server.requests()).hasSize(3).last().isEqualTo("GET /api/v1/client?clientId=b");
    }

    @Test
    void messagesAreListedPublishedAndRemoved() throws Exception {
        assertThat(request("retained", "list")).isEqualTo("GET /api/v1/retained?limit=1000");
        assertThat(request("retained", "list", "a/+")).isEqualTo("GET /api/v1/retained?filter=a%2F%2B&limit=1000");
        assertThat(request("retained", "show", "a/b")).isEqualTo("GET /api/v1/retained/message?topic=a%2Fb");
        assertThat(request("retained", "delete", "a/b")).isEqualTo("DELETE /api/v1/retained/message?topic=a%2Fb");
        assertThat(request("retained", "delete", "--filter=#")).isEqualTo("DELETE /api/v1/retained?filter=%23");
        assertThat(request("publish", "a")).isEqualTo("POST /api/v1/publish {\"topic\":\"a\"}");
        assertThat(request(
                        "publish",
                        "a",
                        "-m",
                        "hi",
                        "-q",
                        "1",
                        "-r",
                        "--expiry=60",
                        "--content-type=text/plain",
                        "--response-topic=b",
                        "--property",
                        "n=v=w",
                        "--property",
                        "n="))
                .isEqualTo("POST /api/v1/publish {\"topic\":\"a\",\"payload\":\"hi\",\"qos\":1,\"retain\":true,"
                        + "\"expirySeconds\":60,\"contentType\":\"text/plain\",\"responseTopic\":\"b\","
                        + "\"userProperties\":[{\"name\":\"n\",\"value\":\"v=w\"},"
                        + "{\"name\":\"n\",\"value\":\"\"}]}");
        Path file = Files.write(directory.resolve("payload"), new byte[] {0, (byte) 0xff});
        assertThat(request("publish", "a", "--file", file.toString()))
                .isEqualTo("POST /api/v1/publish {\"topic\":\"a\",\"payloadBase64\":\"AP8=\"}");
    }

    @Test
    void logsAndQueuesAreShownAndCleared() {
        assertThat(request("applications", "list")).isEqualTo("GET /api/v1/applications?limit=1000");
        assertThat(request("applications", "list", "--prefix=a", "--descending"))
                .isEqualTo("GET /api/v1/applications?clientIdPrefix=a&sort=-clientId&limit=1000");
        assertThat(request("applications", "show", "a")).isEqualTo("GET /api/v1/applications/log?clientId=a");
        assertThat(request("applications", "seek", "a", "--to=beginning"))
                .isEqualTo("POST /api/v1/applications/seek {\"clientId\":\"a\",\"to\":\"BEGINNING\"}");
        assertThat(request("applications", "seek", "a", "--time=2026-11-01T10:00:00Z"))
                .isEqualTo("POST /api/v1/applications/seek {\"clientId\":\"a\",\"time\":\"2026-11-01T10:00:00Z\"}");
        assertThat(request("applications", "seek", "a", "--offset=7"))
                .isEqualTo("POST /api/v1/applications/seek {\"clientId\":\"a\",\"offset\":7}");
        assertThat(request("applications", "clear", "a")).isEqualTo("DELETE /api/v1/applications/messages?clientId=a");
        assertThat(request("queues", "show", "a")).isEqualTo("GET /api/v1/queues/queue?clientId=a");
        assertThat(request("queues", "peek", "a")).isEqualTo("GET /api/v1/queues/messages?clientId=a&limit=10");
        assertThat(request("queues", "clear", "a")).isEqualTo("DELETE /api/v1/queues/messages?clientId=a");
        assertThat(request("buckets")).isEqualTo("GET /api/v1/buckets?limit=1000");
        assertThat(request("buckets", "--holder=a", "--lagging", "--descending"))
                .isEqualTo("GET /api/v1/buckets?holder=a&lagging=true&sort=-bucket&limit=1000");
    }

    @Test
    void nodesAreShownAndDrained() {
        assertThat(request("node")).isEqualTo("GET /api/v1/node");
        assertThat(request("nodes")).isEqualTo("GET /api/v1/nodes?limit=1000");
        assertThat(request("nodes", "--role=serving", "--descending"))
                .isEqualTo("GET /api/v1/nodes?role=serving&sort=-nodeId&limit=1000");
        assertThat(request("drain")).isEqualTo("POST /api/v1/node/drain");
        assertThat(request("drain", "--node=a b")).isEqualTo("POST /api/v1/nodes/drain?nodeId=a+b");
        assertThat(request("rebalance")).isEqualTo("POST /api/v1/cluster/rebalance");
        assertThat(request("reload-certificates")).isEqualTo("POST /api/v1/node/certificates/reload");
        assertThat(request("audit", "--administrator=a", "--target=b", "--from=x", "--until=y", "--ascending"))
                .isEqualTo("GET /api/v1/audit?administrator=a&target=b&from=x&until=y&sort=time&limit=1000");
        assertThat(request("audit", "--action=drain", "--outcome=failed"))
                .isEqualTo("GET /api/v1/audit?action=drain&outcome=failed&limit=1000");
    }

    @Test
    void subscribersStoresAndSettingsAreListed() {
        assertThat(request("subscribers", "a/+")).isEqualTo("GET /api/v1/subscriptions?topicFilter=a%2F%2B&limit=1000");
        assertThat(request("subscribers", "a/b")).isEqualTo("GET /api/v1/subscriptions?topic=a%2Fb&limit=1000");
        assertThat(request("subscribers", "$share/g/a"))
                .isEqualTo("GET /api/v1/subscriptions?topicFilter=%24share%2Fg%2Fa&limit=1000");
        assertThat(request("subscribers", "--filter=a/b"))
                .isEqualTo("GET /api/v1/subscriptions?topicFilter=a%2Fb&limit=1000");
        assertThat(request("stores", "kafka")).isEqualTo("GET /api/v1/stores/kafka/topics?limit=1000");
        assertThat(request("stores", "redis")).isEqualTo("GET /api/v1/stores/redis/servers?limit=1000");
        assertThat(request("stores", "kafka", "--descending"))
                .isEqualTo("GET /api/v1/stores/kafka/topics?sort=-name&limit=1000");
        assertThat(request("stores", "transactions")).isEqualTo("GET /api/v1/stores/kafka/transactions?limit=1000");
        assertThat(request("stores", "end-transaction", "heddle.buckets", "3", "77", "--outcome=committed"))
                .isEqualTo("POST /api/v1/stores/kafka/transactions/end {\"topic\":\"heddle.buckets\",\"partition\":3,"
                        + "\"producerId\":77,\"outcome\":\"COMMITTED\"}");
        assertThat(request("stores", "redis", "--descending"))
                .isEqualTo("GET /api/v1/stores/redis/servers?sort=-address&limit=1000");
        assertThat(request("settings", "--descending")).isEqualTo("GET /api/v1/settings?sort=-key&limit=1000");
        assertThat(request("settings")).isEqualTo("GET /api/v1/settings?limit=1000");
        assertThat(request("settings", "heddle.mqtt"))
                .isEqualTo("GET /api/v1/settings?keyPrefix=heddle.mqtt&limit=1000");
        assertThat(request("filters")).isEqualTo("GET /api/v1/filters?limit=1000");
        assertThat(request("refusals")).isEqualTo("GET /api/v1/refusals?limit=250");
        assertThat(request("refusals", "--kind=connect", "--prefix=a", "--limit=3"))
                .isEqualTo("GET /api/v1/refusals?kind=connect&clientIdPrefix=a&limit=3");
        assertThat(request("filters", "$share/"))
                .isEqualTo("GET /api/v1/filters?topicFilterPrefix=%24share%2F&limit=1000");
    }

    @Test
    void credentialsAreListedAndChanged() throws Exception {
        String id = "6f1b0000-0000-4000-8000-000000000001";
        String file = Files.writeString(directory.resolve("new"), "pass word\n").toString();
        assertThat(request("credentials", "list")).isEqualTo("GET /api/v1/credentials?limit=1000");
        assertThat(request("credentials", "list", "--user-prefix=a"))
                .isEqualTo("GET /api/v1/credentials?userNamePrefix=a&limit=1000");
        assertThat(request("credentials", "list", "--client-prefix=a"))
                .isEqualTo("GET /api/v1/credentials?clientIdPrefix=a&sort=clientId&limit=1000");
        assertThat(request("credentials", "list", "--type=application", "--descending"))
                .isEqualTo("GET /api/v1/credentials?type=application&sort=-userName&limit=1000");
        assertThat(request("credentials", "list", "--client-prefix=a", "--descending"))
                .isEqualTo("GET /api/v1/credentials?clientIdPrefix=a&sort=-clientId&limit=1000");
        assertThat(request("credentials", "show", id)).isEqualTo("GET /api/v1/credentials/" + id);
        assertThat(request("credentials", "create", "--user=u", "--type=application", "--new-password-file", file))
                .isEqualTo("POST /api/v1/credentials"
                        + " {\"userName\":\"u\",\"type\":\"APPLICATION\",\"password\":\"pass word\"}");
        assertThat(request("credentials", "replace", id, "--client-id=c"))
                .isEqualTo("PUT /api/v1/credentials/" + id + " {\"clientId\":\"c\"}");
        assertThat(request("credentials", "set-password", id, "--new-password-file", file))
                .isEqualTo("PUT /api/v1/credentials/" + id + "/password {\"password\":\"pass word\"}");
        assertThat(request("credentials", "delete", id)).isEqualTo("DELETE /api/v1/credentials/" + id);
    }

    @Test
    void clientsAreBlockedListedAndLifted() {
        String id = "6f1b0000-0000-4000-8000-000000000001";
        assertThat(request("blocked", "list")).isEqualTo("GET /api/v1/blocked-clients?limit=1000");
        assertThat(request("blocked", "list", "--prefix=a", "--by=flapping", "--descending"))
                .isEqualTo("GET /api/v1/blocked-clients?valuePrefix=a&createdBy=flapping&sort=-value&limit=1000");
        assertThat(request("blocked", "add", "--client-id=c", "--reason=stolen"))
                .isEqualTo("POST /api/v1/blocked-clients"
                        + " {\"kind\":\"CLIENT_ID\",\"value\":\"c\",\"reason\":\"stolen\"}");
        assertThat(request("blocked", "add", "--pattern=c*", "--reason=stolen")).contains("\"CLIENT_ID_PATTERN\"");
        assertThat(request("blocked", "add", "--user=u", "--reason=stolen")).contains("\"USER_NAME\"");
        assertThat(request("blocked", "add", "--address=10.0.0.0/8", "--reason=scans", "--for=12h"))
                .contains("\"ADDRESS\"", "\"until\":\"20");
        assertThat(request("blocked", "remove", id)).isEqualTo("DELETE /api/v1/blocked-clients/" + id);

        int requests = server.requests().size();
        assertThat(run("blocked", "add", "--client-id=c", "--user=u", "--reason=stolen"))
                .isEqualTo(2);
        assertThat(run("blocked", "add", "--reason=stolen")).isEqualTo(2);
        assertThat(run("blocked", "add", "--client-id=c")).isEqualTo(2);
        assertThat(run("blocked", "add", "--client-id=c", "--reason=stolen", "--for=soon"))
                .isOne();
        assertThat(server.requests()).hasSize(requests);
    }

    @Test
    void apiKeysAreListedAddedAndRemoved() {
        assertThat(request("api-keys", "list")).isEqualTo("GET /api/v1/api-keys?limit=1000");
        assertThat(request("api-keys", "list", "--role=viewer", "--descending"))
                .isEqualTo("GET /api/v1/api-keys?role=viewer&sort=-name&limit=1000");
        assertThat(request("api-keys", "add", "ci", "--role=viewer"))
                .isEqualTo("POST /api/v1/api-keys {\"name\":\"ci\",\"role\":\"VIEWER\"}");
        assertThat(request("api-keys", "add", "ci", "--role=viewer", "--for=none"))
                .contains("\"expiresAt\":\"none\"");
        assertThat(request("api-keys", "add", "ci", "--role=viewer", "--for=30d"))
                .contains("\"expiresAt\":\"20");
        assertThat(request("api-keys", "remove", "ci")).isEqualTo("DELETE /api/v1/api-keys/ci");
        assertThat(request("api-keys", "remove", "a/b?c")).isEqualTo("DELETE /api/v1/api-keys/a%2Fb%3Fc");

        int requests = server.requests().size();
        assertThat(run("api-keys", "add", "ci")).isEqualTo(2);
        assertThat(run("api-keys", "add", "ci", "--role=viewer", "--for=soon")).isOne();
        assertThat(server.requests()).hasSize(requests);
    }

    @Test
    void credentialsAreImportedAsCsv() throws Exception {
        String file = Files.writeString(directory.resolve("csv"), "userName,password\na,b\n")
                .toString();
        server.answer(200, "{\"stored\": 1, \"rejected\": 0, \"problems\": []}")
                .answer(
                        200,
                        "{\"stored\": 0, \"rejected\": 1, \"problems\": [{\"line\": 2, \"message\": \"Wrong.\"}]}");

        assertThat(request("credentials", "import", file))
                .isEqualTo("POST /api/v1/credentials/import userName,password\na,b");
        assertThat(server.headers().getLast()).endsWith(" text/csv");
        assertThat(run("credentials", "import", "--replace", file)).isOne();
        assertThat(server.requests().getLast()).startsWith("POST /api/v1/credentials/import?replace=true ");
        assertThat(run("credentials", "import", directory.resolve("absent").toString()))
                .isOne();
    }

    @Test
    void administratorsAreListedAndChanged() throws Exception {
        String file = Files.writeString(directory.resolve("new"), "pass word\n").toString();
        assertThat(request("administrators", "list")).isEqualTo("GET /api/v1/administrators?limit=1000");
        assertThat(request("administrators", "list", "--role=viewer", "--descending"))
                .isEqualTo("GET /api/v1/administrators?role=viewer&sort=-userName&limit=1000");
        assertThat(request("administrators", "show", "a/b")).isEqualTo("GET /api/v1/administrator?userName=a%2Fb");
        assertThat(request("administrators", "create", "a", "--role=viewer", "--new-password-file", file))
                .isEqualTo("POST /api/v1/administrators"
                        + " {\"userName\":\"a\",\"role\":\"VIEWER\",\"password\":\"pass word\"}");
        assertThat(request("administrators", "set-role", "a", "admin"))
                .isEqualTo("PATCH /api/v1/administrator?userName=a {\"role\":\"ADMIN\"}");
        assertThat(request("administrators", "set-password", "a", "--new-password-file", file))
                .isEqualTo("PATCH /api/v1/administrator?userName=a {\"password\":\"pass word\"}");
        assertThat(request("administrators", "delete", "a")).isEqualTo("DELETE /api/v1/administrator?userName=a");
        assertThat(request("account", "show")).isEqualTo("GET /api/v1/account");
        assertThat(request("account", "set-password", "--new-password-file", file))
                .isEqualTo("PUT /api/v1/account/password {\"password\":\"pass word\"}");
    }

    @Test
    void aPasswordFileHasOneLine() throws Exception {
        String file = Files.writeString(directory.resolve("new"), "a\nb\n").toString();

        assertThat(run("administrators", "set-password", "a", "--new-password-file", file))
                .isOne();
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void aRefusalIsAFailure() {
        server.answer(404, "{\"detail\": \"There is no such client.\"}");

        assertThat(run("clients", "show", "a")).isOne();
    }

    @Test
    void aUserPropertyWithoutAValueIsAFailure() {
        assertThat(run("publish", "a", "--property=n")).isOne();
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void anIncompleteRemovalIsAFailure() {
        server.answer(200, "{\"removed\": 10, \"complete\": false}");

        assertThat(run("retained", "delete", "--filter=#")).isOne();
    }

    @Test
    void wrongArgumentsSendNothing() {
        assertThat(run("clients")).isEqualTo(2);
        assertThat(run("clients", "show")).isEqualTo(2);
        assertThat(run("clients", "list", "--limit=0")).isEqualTo(2);
        assertThat(run("retained", "delete")).isEqualTo(2);
        assertThat(run("retained", "delete", "a", "--filter=#")).isEqualTo(2);
        assertThat(run("publish", "a", "-m", "x", "-f", "y")).isEqualTo(2);
        assertThat(run("applications", "seek", "a")).isEqualTo(2);
        assertThat(run("applications", "seek", "a", "--to=end", "--offset=1")).isEqualTo(2);
        assertThat(run("subscribers")).isEqualTo(2);
        assertThat(run("subscribers", "a", "--filter=a")).isEqualTo(2);
        assertThat(run("credentials", "show", "not-an-id")).isEqualTo(2);
        assertThat(run("administrators", "create", "a")).isEqualTo(2);
        assertThat(run("nothing")).isEqualTo(2);
        assertThat(server.requests()).isEmpty();
    }
}
