package io.heddle.api.console;

import static io.heddle.api.testkit.ApiClient.problem;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.security.PageHeaders;
import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.PastMessages;
import io.heddle.core.client.Rates;
import io.heddle.core.client.RecentRefusals.Kind;
import io.heddle.core.client.RecentRefusals.Refusal;
import io.heddle.core.client.activity.Ranking;
import io.heddle.core.lifecycle.ClusterRole;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.operator.alert.Alert;
import io.heddle.core.operator.alert.Alert.Severity;
import io.heddle.core.operator.alert.ClusterAlerts;
import io.heddle.core.operator.client.ClientDetails;
import io.heddle.core.operator.client.ClientEntry;
import io.heddle.core.operator.explain.DeliveryExplanation;
import io.heddle.core.operator.explain.PastDeliveries;
import io.heddle.core.operator.explain.PastDeliveries.Memory;
import io.heddle.core.operator.explain.PastDeliveries.Outcome;
import io.heddle.core.operator.explain.PastDeliveries.PastMessage;
import io.heddle.core.operator.explain.Verdict;
import io.heddle.core.operator.refusal.RefusalPage;
import io.heddle.core.operator.top.Top;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConsoleControllerTest {
    private static final String SCRIPT = "<script>alert('1')</script>";
    private static final Instant AT = Instant.parse("2026-11-01T10:00:00Z");
    private static final Pattern CHANGE =
            Pattern.compile("data-(?:send|override|target)=\"(?:POST|PUT|PATCH|DELETE) ([^\"]*)\"");
    /** Requests that every role may send. */
    private static final Set<String> OF_ALL =
            Set.of("/api/v1/rules/test", "/api/v1/rules/dry-run", "/api/v1/account/password");

    private final ApiServer server = new ApiServer();
    private final ApiClient client = server.client();

    @BeforeEach
    void administrators() {
        for (AdminRole role : AdminRole.values()) {
            server.administrators().put(name(role), "long enough words", role, server.passwordHash());
        }
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private static String name(AdminRole role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    private HttpResponse<String> get(String path, AdminRole role) throws Exception {
        return client.get(path, name(role), "long enough words");
    }

    private String page(String path) throws Exception {
        HttpResponse<String> page = get(path, AdminRole.ADMIN);
        assertThat(page.statusCode()).as(path).isEqualTo(200);
        return page.body();
    }

    private void refuse(String clientId) {
        server.setRefusals(_ -> new RefusalPage(
                List.of(new RefusalPage.Entry(
                        "a",
                        new Refusal(Kind.CONNECT, "not_authorized", SCRIPT, clientId, SCRIPT, "10.0.0.7", AT, AT, 3))),
                List.of()));
    }

    private void explain() {
        explain(null);
    }

    private void explain(@Nullable PastDeliveries past) {
        server.setExplanation(new DeliveryExplanation(
                Verdict.NO_SESSION,
                "The client " + SCRIPT + " is not connected.",
                QoS.AT_LEAST_ONCE,
                new ClientDetails(
                        new ClientEntry("pump", ClientType.DEVICE, "ada", 60, AT.toEpochMilli(), null),
                        2,
                        null,
                        null,
                        null,
                        Set.of()),
                null,
                List.of(),
                List.of(),
                List.of(),
                past,
                Set.of("c")));
    }

    @ParameterizedTest
    @EnumSource
    void everyPageIsShownToEveryRoleWithTheChangesThatItMayMake(AdminRole role) throws Exception {
        for (String name : ConsolePages.names()) {
            HttpResponse<String> page = get("/" + name, role);
            String html = page.body();

            // The stores of a node that does not serve give no answer; a page of one object needs its name.
            assertThat(page.statusCode()).as(name).isIn(200, 404, 503);
            assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
            assertThat(page.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
            assertThat(page.headers().allValues("Content-Security-Policy"))
                    .containsExactly(PageHeaders.policy(
                            name.equals(ConsolePages.MQTT_CLIENT)
                                    ? "'self' ws://127.0.0.1:* wss://127.0.0.1:*"
                                    : "'self'"));
            assertThat(html)
                    .as(name)
                    .contains(
                            "<html lang=\"en\"",
                            "<h1>",
                            "<main id=\"content\"",
                            "class=\"skip\"",
                            "aria-label=\"Pages\"")
                    .doesNotContain("{{", "{%", "<style", "style=", "onclick", "javascript:", "//cdn", "null");
            assertThat(Pattern.compile("<script(?![^>]*src=\"/assets/)")
                            .matcher(html)
                            .find())
                    .as("inline script on " + name)
                    .isFalse();
            CHANGE.matcher(html)
                    .results()
                    .map(change -> change.group(1))
                    .forEach(address -> assertThat(OF_ALL.contains(address) || role != AdminRole.VIEWER)
                            .as(role + " " + name + " " + address)
                            .isTrue());
        }
    }

    @Test
    void theRoleDecidesWhichButtonsAreShown() throws Exception {
        String disconnect = "DELETE /api/v1/client/connection?clientId=sensor%2F1";

        assertThat(get("/client?clientId=sensor%2F1", AdminRole.OPERATOR).body())
                .contains(disconnect);
        assertThat(get("/client?clientId=sensor%2F1", AdminRole.VIEWER).body()).doesNotContain(disconnect);
        assertThat(get("/credentials", AdminRole.ADMIN).body()).contains("New credentials");
        assertThat(get("/credentials", AdminRole.OPERATOR).body()).doesNotContain("New credentials");
    }

    @Test
    void topicsAreATreeWithLinksToSubscribersAndTraces() throws Exception {
        server.setTop(new Top(
                Map.of(
                        Ranking.TOPIC_MESSAGES_IN,
                        new Rates(9, Map.of("plant/1/state", 5.0, "plant/1", 1.5, "plant/2/<b>", 2.0))),
                List.of()));

        assertThat(page("/topic-tree"))
                .containsSubsequence("<details><summary>", "plant</span>", "3 topics", "<details>", "title=\"plant/1\"")
                .contains(
                        "<strong>8.50</strong> in",
                        "(– in, – out)",
                        "of all topics <span class=\"rates\"><strong>9</strong> in")
                .contains("href=\"/topics?topic=plant%2F1%2Fstate\"", "href=\"/trace?topicFilter=plant%2F1%2F%23\"")
                .contains("2/&lt;b&gt;");
    }

    @Test
    void membersOfASharedGroupSayWhichMessagesTheyGet() throws Exception {
        assertThat(page("/shared-groups"))
                .contains("href=\"/shared-groups?topicFilter=%24share%2Fg%2Fa%2F%2B\"", "title=\"a/+\"");
        assertThat(page("/shared-groups?topicFilter=%24share%2Fg%2Fa%2F%2B"))
                .contains(
                        "href=\"/client?clientId=sensor%2F1\"",
                        "Busy", "only if no member can send at once", "1 of 10");
    }

    @Test
    void theOverviewSaysWhatIsWrongAndLinksItsFigures() throws Exception {
        server.setAlerts(new ClusterAlerts(
                List.of(new ClusterAlerts.Entry(
                        "b",
                        new Alert(
                                "HeddleBucketsLag",
                                Severity.WARNING,
                                Duration.ofMinutes(3),
                                "Queues of the node are 42 s behind.",
                                "Look at Redis.",
                                "/buckets?lagging=true"))),
                List.of()));
        refuse("pump");

        assertThat(page("/"))
                .contains(
                        "The cluster is not steady",
                        "b is joining",
                        "b: Queues of the node are 42 s behind.",
                        "Look at Redis.")
                .contains("href=\"/buckets?lagging=true\"")
                .contains("href=\"/clients?state=CONNECTED\"", "<strong>250</strong>", "href=\"/client?clientId=pump\"")
                .doesNotContain("All is well");
        assertThat(page("/alerts"))
                .contains("Queues of the node are 42 s behind.", "<code>HeddleBucketsLag</code>")
                .contains("href=\"/buckets?lagging=true\"");
    }

    @Test
    void theOverviewNamesClientsThatFightOverAnId() throws Exception {
        for (Duration ago : List.of(Duration.ofMinutes(1), Duration.ofHours(1))) {
            Instant last = InstantSource.system().instant().minus(ago);
            Refusal taken =
                    new Refusal(Kind.TAKEOVER, "session_taken_over", "detail", "pump", null, "10.0.0.7", last, last, 7);
            server.setRefusals(_ -> new RefusalPage(List.of(new RefusalPage.Entry("a", taken)), List.of()));

            assertThat(page("/").contains("Clients fight over the id"))
                    .as("last %s ago", ago)
                    .isEqualTo(ago.toHours() == 0);
        }
    }

    @Test
    void clientsAreListedPageByPage() throws Exception {
        String page = page("/clients?q=sen&state=CONNECTED&userName=&limit=7");

        assertThat(page)
                .contains("href=\"/client?clientId=sensor%2F1\"", "192.0.2.7:50123", "class=\"state CONNECTED\"")
                .containsPattern(
                        "href=\"/clients\\?q=sen&amp;state=CONNECTED&amp;limit=7&amp;after=[^\"]+\" rel=\"next\"");
        assertThat(requireNonNull(server.clients().query()).filter().prefix()).isEqualTo("sen");
        String next = Pattern.compile("href=\"(/clients[^\"]*)\" rel=\"next\"")
                .matcher(page)
                .results()
                .map(link -> link.group(1).replace("&amp;", "&"))
                .findFirst()
                .orElseThrow();
        assertThat(page(next)).contains("rel=\"first\"");
    }

    @Test
    void aClientIsShownWithItsSessionAndSubscriptions() throws Exception {
        refuse("sensor/1");
        assertThat(page("/client?clientId=sensor%2F1"))
                .contains("sensor/1", "MQTT 3.1.1", "queue_full", "Connection reset by peer", "/#", "not_authorized");
    }

    @Test
    void anUnknownClientIsNotFoundButWhatWasRefusedToItIsShown() throws Exception {
        refuse("nobody");
        HttpResponse<String> page = get("/client?clientId=nobody", AdminRole.ADMIN);

        assertThat(page.statusCode()).isEqualTo(404);
        assertThat(page.body()).contains("is not connected and has no session", "not_authorized");
        assertThat(get("/client", AdminRole.ADMIN).statusCode()).isEqualTo(404);
        assertThat(get("/no-such-page", AdminRole.ADMIN).body()).contains("There is no page at this address");
    }

    @Test
    void whatClientsChooseIsEscaped() throws Exception {
        refuse(SCRIPT);
        explain();
        server.administrators().put(SCRIPT, "long enough words", AdminRole.VIEWER, server.passwordHash());
        String encoded = "%3Cscript%3Ealert('1')%3C%2Fscript%3E";
        for (String path : List.of(
                "/",
                "/refusals",
                "/clients?q=" + encoded + "&userName=%22%3E" + encoded,
                "/administrators",
                "/explain?clientId=" + encoded + "&topic=" + encoded,
                "/topics?topicFilter=" + encoded)) {
            assertThat(page(path)).as(path).doesNotContain("<script>").contains("&lt;script&gt;");
        }
        assertThat(get("/client?clientId=" + encoded, AdminRole.ADMIN).body())
                .doesNotContain("<script>")
                .contains("&lt;script&gt;");
        assertThat(client.get("/sign-in?error=wrong&next=%22%3E" + encoded).body())
                .doesNotContain("<script>")
                .contains("&lt;script&gt;");
    }

    @Test
    void anExplanationIsShown() throws Exception {
        explain();

        assertThat(page("/explain?clientId=pump&topic=a%2F1&qos=2"))
                .contains("class=\"verdict NO_SESSION\"", "No session", "No answer from c");
        assertThat(server.explained()).containsExactly("pump a/1 EXACTLY_ONCE");
        assertThat(page("/client?clientId=sensor%2F1&topic=a%2F1")).contains("No session");
    }

    @Test
    void earlierMessagesAreShown() throws Exception {
        long at = AT.toEpochMilli();
        explain(new PastDeliveries(
                at,
                "Of 2 messages on " + SCRIPT + ".",
                List.of(new Memory("b", at, at, at)),
                List.of(
                        new PastMessage(
                                at,
                                "b",
                                Outcome.DROPPED,
                                "expired",
                                QoS.AT_LEAST_ONCE,
                                PastMessages.UNKNOWN_BYTES,
                                0,
                                0,
                                0),
                        new PastMessage(at, "b", Outcome.ACKNOWLEDGED, null, QoS.AT_LEAST_ONCE, 12, 7, 0, at))));

        assertThat(page("/explain?clientId=pump&topic=a%2F1&since=PT10M"))
                .contains(
                        "Of 2 messages on &lt;script&gt;",
                        "Messages on the topic since",
                        "Dropped</span> <code>expired</code>",
                        "Acknowledged</span>",
                        "<option value=\"PT10M\" selected>of 10 minutes</option>");
        assertThat(server.explained().getFirst()).startsWith("pump a/1 AT_LEAST_ONCE 20");
        assertThat(page("/explain?clientId=pump&topic=a%2F1&since=2026-11-01T10:00:00Z"))
                .contains("<option value=\"2026-11-01T10:00:00Z\" selected>since 2026-11-01T10:00:00Z</option>");
    }

    @Test
    void anErrorOfTheRestInterfaceIsShownInThePage() throws Exception {
        HttpResponse<String> wrong = get("/clients?address=nonsense", AdminRole.ADMIN);
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("role=\"alert\"", "<code>address</code>");

        HttpResponse<String> unavailable = get("/retained", AdminRole.ADMIN);
        assertThat(unavailable.statusCode()).isEqualTo(503);
        assertThat(unavailable.body()).contains("has not answered in time");

        server.clients().loseNode();
        assertThat(page("/clients")).contains("No answer from c");
    }

    @Test
    void thePageOfTheMqttClientMayConnectToTheListenersOfTheNode() throws Exception {
        server.setListeners("mqtt://10.0.0.5:1883", "ws://10.0.0.5:8083/mqtt");

        HttpResponse<String> page = get("/mqtt-client", AdminRole.VIEWER);

        assertThat(page.body()).contains("data-listeners=\"mqtt://10.0.0.5:1883 ws://10.0.0.5:8083/mqtt\"");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("connect-src 'self' ws://127.0.0.1:* wss://127.0.0.1:* ws://10.0.0.5:8083;");
    }

    @Test
    void noHostHeaderChangesThePolicyOfAPage() throws Exception {
        for (String host : List.of(
                "",
                "*",
                "*.example.org",
                "a *",
                "a:*",
                "a;script-src *",
                "a:8080;script-src *",
                "a, default-src *",
                "a\rb: c",
                "'unsafe-eval'",
                "[::1;script-src]",
                "[::1]:8080")) {
            String answer = raw("GET /mqtt-client HTTP/1.1\r\nHost: " + host
                    + "\r\nConnection: close\r\nAuthorization: " + ApiClient.basic("viewer", "long enough words")
                    + "\r\n\r\n");

            assertThat(answer).as(host).startsWith("HTTP/1.1 ");
            // Tomcat refuses most of them, before there is a page and a policy.
            assertThat(Pattern.compile("(?im)^content-security-policy: (.*)$")
                            .matcher(answer)
                            .results()
                            .map(policy -> policy.group(1).strip()))
                    .as(host)
                    .isSubsetOf(
                            PageHeaders.policy("'self'"),
                            PageHeaders.policy("'self' ws://127.0.0.1:* wss://127.0.0.1:*"),
                            "default-src 'none'; img-src 'self'; frame-ancestors 'none'");
        }
    }

    private String raw(String request) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aPageShowsNothingThatItsReaderMayNotRead() throws Exception {
        HttpResponse<String> payload = get("/retained-message?topic=a", AdminRole.VIEWER);

        assertThat(payload.statusCode()).isEqualTo(403);
        assertThat(payload.body()).contains("Your role does not permit this request");
        assertThat(get("/client?clientId=sensor%2F1&peek=1", AdminRole.VIEWER).statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/clients", "/settings", "/no-such-page"})
    void pagesNeedASignIn(String path) throws Exception {
        problem(client.get(path), 401);
    }

    @Test
    void thePageForTheSignInTellsOnlyWhetherTheNodeServes() throws Exception {
        HttpResponse<String> page = client.get("/sign-in?error=locked&next=%2Fclients");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains(
                        "is serving MQTT clients",
                        "name=\"userName\"",
                        "name=\"password\"",
                        "value=\"/clients\"",
                        "Too many failed")
                .doesNotContain("1.2.3", "127.0.0.1", "/api/", "<script");
        server.setRole(ClusterRole.Role.LEAVING);
        assertThat(client.get("/sign-in").body()).contains("is not serving MQTT clients");
    }

    @Test
    void browsersGetAnIconWithoutSignIn() throws Exception {
        HttpResponse<String> icon = client.get("/favicon.ico");

        assertThat(icon.statusCode()).isEqualTo(200);
        assertThat(icon.headers().firstValue("Content-Type")).hasValue("image/vnd.microsoft.icon");
        assertThat(icon.headers().firstValue("Cache-Control").orElse("")).contains("max-age=86400");
    }

    @Test
    void theThemeOfTheReaderIsThatOfThePage() throws Exception {
        assertThat(page("/settings")).doesNotContain("data-theme=");
        assertThat(client.send(client.request("/settings", "admin", "long enough words")
                                .header("Cookie", "heddle-theme=dark"))
                        .body())
                .contains("<html lang=\"en\" data-theme=\"dark\">");
    }
}
