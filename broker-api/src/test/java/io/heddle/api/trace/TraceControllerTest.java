package io.heddle.api.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AuditEntry;
import io.heddle.core.administration.AuditOutcome;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingConnection;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

final class TraceControllerTest extends ApiFixture {
    private static final String PUMP = "/api/v1/trace?clientId=pump";
    private static final String LINES = "application/x-ndjson";

    @AutoClose("shutdownNow")
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private final RecordingConnection pump = new RecordingConnection(new ManualEventLoop(0));

    @BeforeEach
    void administrators() {
        pump.names().set("pump", "p");
    }

    private HttpRequest.Builder viewer(String path) {
        return client.request(path, "vera", "looking");
    }

    /** Sends the request, and packets of the client once the trace has begun. */
    private HttpResponse<String> traced(HttpRequest.Builder request) throws Exception {
        Future<HttpResponse<String>> response = threads.submit(() -> client.send(request));
        awaitTraces(1);
        server.incidents()
                .events()
                .received(
                        new PublishPacket(
                                TopicName.parse("plant/1", 8),
                                0,
                                QoS.AT_LEAST_ONCE,
                                false,
                                false,
                                7,
                                PublishProperties.NONE,
                                List.of(),
                                BinaryData.wrap("warm".getBytes(UTF_8))),
                        pump);
        server.incidents().events().received(PingReqPacket.INSTANCE, pump);
        return response.get();
    }

    private void awaitTraces(int count) {
        while (server.traces() != count) {
            assertThat(Thread.interrupted()).isFalse();
            Thread.onSpinWait();
        }
    }

    private static List<JsonNode> events(List<String> lines) {
        List<JsonNode> events = new ArrayList<>();
        for (String each : lines) {
            events.add(JSON.readTree(each));
        }
        return events;
    }

    private static void assertEvents(List<JsonNode> events) {
        assertThat(events)
                .extracting(each -> each.path("event").asString())
                .containsExactly("node", "packet", "packet", "end");
        JsonNode publish = events.get(1);
        assertThat(publish.propertyNames())
                .containsExactly(
                        "time",
                        "node",
                        "event",
                        "direction",
                        "clientId",
                        "userName",
                        "address",
                        "port",
                        "packet",
                        "packetId",
                        "topic",
                        "qos",
                        "retain",
                        "dup",
                        "payloadBytes");
        assertThat(publish.path("time").asString()).matches("\\d{4}-.*Z");
        assertThat(publish.path("node").asString()).isEqualTo("a");
        assertThat(publish.path("topic").asString()).isEqualTo("plant/1");
        assertThat(publish.path("packetId").asInt()).isEqualTo(7);
        assertThat(events.getLast().path("reason").asString()).isEqualTo("count");
    }

    @Test
    void eventsAreSentAsServerSentEvents() throws Exception {
        HttpResponse<String> response = traced(viewer(PUMP + "&maxEvents=2"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
        List<String> parts = List.of(response.body().split("\n\n", -1));
        assertThat(parts.getLast()).isEmpty();
        assertThat(parts.subList(0, parts.size() - 1)).allMatch(each -> each.startsWith("data: {"));
        assertEvents(events(parts.subList(0, parts.size() - 1).stream()
                .map(each -> each.substring("data: ".length()))
                .toList()));
        awaitTraces(0);
        assertThat(server.auditLog().entries()).isEmpty();
    }

    @Test
    void eventsAreSentAsLinesOfJsonIfWanted() throws Exception {
        HttpResponse<String> response = traced(viewer(PUMP + "&maxEvents=2").header("Accept", LINES));

        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith(LINES);
        assertEvents(events(response.body().lines().toList()));
    }

    @Test
    void payloadsAreForTheRoleAdminAndAudited() throws Exception {
        for (String[] each : new String[][] {{"vera", "looking"}, {"olga", "running"}}) {
            JsonNode problem = ApiClient.problem(client.get(PUMP + "&payload=true", each[0], each[1]), 403);
            assertThat(problem.path("detail").asString()).contains("the role ADMIN");
        }
        assertThat(server.auditLog().entries()).isEmpty();

        HttpResponse<String> response = traced(client.request(PUMP + "&payload=true&maxEvents=2", "ada", "ruling")
                .header("Accept", LINES));

        assertThat(response.body()).contains("\"payload\":\"warm\"");
        AuditEntry entry = server.auditLog().entries().getFirst();
        assertThat(entry.attempt().action()).isEqualTo("TRACE_PAYLOADS");
        assertThat(entry.attempt().administrator()).isEqualTo("ada");
        assertThat(entry.result().outcome()).isEqualTo(AuditOutcome.DONE);
        assertThat(entry.result().after()).isEqualTo("{\"clientId\":\"pump\",\"seconds\":60,\"maxEvents\":2}");
    }

    @Test
    void withoutTheAuditLogNoPayloadIsShown() throws Exception {
        server.auditLog().setDown(true);

        ApiClient.problem(client.get(PUMP + "&payload=true", "ada", "ruling"), 503);

        assertThat(server.traces()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "seconds=5, clientId",
        "clientId=, clientId",
        "clientId=a&clientId=b, clientId",
        "userName=u&seconds=0, seconds",
        "userName=u&seconds=3601, seconds",
        "userName=u&seconds=x, seconds",
        "address=pump, address",
        "address=10.0.0.0%2F33, address",
        "topicFilter=a%23, topicFilter",
        "topicFilter=%24share%2Fg%2Fa, topicFilter",
        "clientId=a&maxEvents=0, maxEvents",
        "clientId=a&maxEvents=100001, maxEvents",
        "clientId=a&payload=yes, payload",
        "clientId=a&topic=t, topic",
    })
    void aWrongParameterIsNamed(String query, String field) throws Exception {
        JsonNode problem = ApiClient.problem(get("/api/v1/trace?" + query), 400);

        assertThat(problem.path("errors").path(0).path("field").asString()).isEqualTo(field);
        assertThat(server.traces()).isZero();
    }

    @Test
    void anotherFormatIsRefused() throws Exception {
        assertThat(client.send(viewer(PUMP).header("Accept", "application/xml")).statusCode())
                .isEqualTo(406);
    }

    @Test
    void aRequestForTheHeadBeginsNoTrace() throws Exception {
        HttpResponse<String> response = client.send(viewer(PUMP).method("HEAD", BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(server.traces()).isZero();
    }

    @Test
    void oneTraceTooManyIsRefused() throws Exception {
        List<Future<HttpResponse<String>>> running = new ArrayList<>();
        List<String> administrators = List.of("vera", "looking", "olga", "running", "ada", "ruling");
        for (int i = 0; i < 8; i++) {
            String name = administrators.get(i / 3 * 2);
            String password = administrators.get(i / 3 * 2 + 1);
            running.add(threads.submit(() -> client.send(client.request(PUMP + "&maxEvents=1", name, password))));
            awaitTraces(i + 1);
        }

        HttpResponse<String> refused = client.get(PUMP, "ada", "ruling");

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        assertThat(JSON.readTree(refused.body()).path("detail").asString())
                .isEqualTo("The node a has its maximum of 8 traces: wait until one has ended, or let an administrator"
                        + " with the role ADMIN end one.");
        server.incidents().events().received(PingReqPacket.INSTANCE, pump);
        for (Future<HttpResponse<String>> each : running) {
            assertThat(each.get().body()).contains("PINGREQ");
        }
    }

    @Test
    void aTraceEndsSoonAfterTheAdministratorHasClosedTheConnection() throws Exception {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), viewer(PUMP).build().uri().getPort())) {
            socket.getOutputStream()
                    .write(("GET " + PUMP + "&seconds=3600 HTTP/1.1\r\nHost: a\r\nAuthorization: "
                                    + ApiClient.basic("vera", "looking") + "\r\n\r\n")
                            .getBytes(UTF_8));
            InputStream answer = socket.getInputStream();
            assertThat(answer.read()).isEqualTo('H');
            awaitTraces(1);
        }

        awaitTraces(0);
    }

    private Future<HttpResponse<String>> begun(String query, String name, String password) {
        Future<HttpResponse<String>> response = threads.submit(() -> client.send(
                client.request(PUMP + "&seconds=3600" + query, name, password).header("Accept", LINES)));
        awaitTraces(1);
        return response;
    }

    private static String lastEvent(Future<HttpResponse<String>> response) throws Exception {
        return response.get().body().lines().toList().getLast();
    }

    @Test
    void anAdminListsAndEndsTheTracesOfOthers() throws Exception {
        Future<HttpResponse<String>> response = begun("", "vera", "looking");

        JsonNode listed = read("/api/v1/traces").path("items");
        assertThat(listed.size()).isEqualTo(1);
        JsonNode trace = listed.path(0);
        assertThat(trace.path("administrator").asString()).isEqualTo("vera");
        assertThat(trace.path("clientId").asString()).isEqualTo("pump");
        assertThat(trace.path("payload").asBoolean()).isFalse();
        String path = "/api/v1/traces/" + trace.path("id").asString();
        assertThat(client.send(client.request(path, "olga", "running").DELETE()).statusCode())
                .isEqualTo(403);

        assertThat(send("DELETE", path, "").statusCode()).isEqualTo(204);

        assertThat(lastEvent(response)).contains("\"ended\"", "the administrator ada has ended the trace");
        AuditEntry entry = server.auditLog().entries().getFirst();
        assertThat(entry.attempt().action()).isEqualTo("END_TRACE");
        assertThat(entry.attempt().before()).contains("\"administrator\":\"vera\"");
        int entries = server.auditLog().entries().size();
        assertThat(send("DELETE", path, "").statusCode()).isEqualTo(404);
        assertThat(server.auditLog().entries()).hasSize(entries);
    }

    @Test
    void aTraceEndsWithTheRemovalOfItsAdministrator() throws Exception {
        Future<HttpResponse<String>> response = begun("", "vera", "looking");

        var _ = server.administrators().remove("vera");

        assertThat(lastEvent(response)).contains("forbidden", "you are signed out");
    }

    @Test
    void aTraceEndsWithAnotherPassword() throws Exception {
        Future<HttpResponse<String>> response = begun("", "vera", "looking");

        server.administrators().put("vera", "changed", AdminRole.VIEWER, server.passwordHash());

        assertThat(lastEvent(response)).contains("forbidden", "you are signed out");
    }

    @Test
    void aTraceWithPayloadsEndsWithTheRoleAdmin() throws Exception {
        Future<HttpResponse<String>> response = begun("&payload=true", "ada", "ruling");

        server.administrators().put("root", "reigning", AdminRole.ADMIN, server.passwordHash());
        var _ = server.administrators().changeRole("ada", AdminRole.OPERATOR);

        assertThat(lastEvent(response)).contains("forbidden", "you no longer have the role ADMIN");
    }

    @Test
    void traceEndsWhenTheServerStops() throws Exception {
        Future<HttpResponse<String>> response =
                threads.submit(() -> client.send(viewer(PUMP + "&seconds=3600").header("Accept", LINES)));
        awaitTraces(1);

        server.close();

        assertThat(response.get().body().lines().toList().getLast()).contains("node_stops");
    }
}
