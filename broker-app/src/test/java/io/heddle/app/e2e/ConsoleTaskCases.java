package io.heddle.app.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.heddle.app.e2e.browser.ConsoleWindow;
import io.netty.handler.codec.mqtt.MqttMessageType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** The everyday tasks of administrators. The last one stops a node. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ConsoleTaskCases {
    private static final int NOT_AUTHORIZED = 0x87;
    private static final String KEPT = "browser-kept";
    private static final Duration STOPS_WITHIN = Duration.ofMinutes(1);

    private final ConsoleUnderTest console;
    private final AdministeredNodes nodes;
    private final ConsoleWindow admin;
    private final Page page;

    ConsoleTaskCases(ConsoleUnderTest console) {
        this.console = console;
        nodes = console.nodes();
        admin = console.admin();
        page = admin.page();
    }

    @AfterEach
    void noPageHasReportedAnError() {
        admin.assertWithoutErrors();
    }

    @Test
    void aSessionIsFoundAmongAHundredThousand() {
        admin.goTo("/");
        assertThat(page.locator("[data-figure=persistentSessions]")).hasText(Pattern.compile("^100,0.."));
        page.keyboard().press("g");
        page.keyboard().press("c");
        assertThat(admin.heading("Clients")).isVisible();
        page.keyboard().press("/");
        page.keyboard().type("meter-77123");

        Locator rows = page.locator("#list tbody tr");
        assertThat(rows).hasCount(1);
        assertThat(page.locator("#announcement")).hasText("Clients: 1");
        admin.picture("clients");
        rows.getByText("meter-77123").click();
        assertThat(page.locator("#subscriptions")).containsText("meter/77123/+");
    }

    @Test
    void aWrongPasswordIsExplained() {
        try (ConsoleWindow window = console.window().goTo("/sign-in")) {
            window.field("Administrator").fill("admin");
            window.field("Password").fill("correct horse battery");
            window.click("Sign in");

            assertThat(window.page().getByRole(AriaRole.ALERT)).containsText("The name or the password is wrong.");
            window.checkAccessibility();
            window.assertWithoutErrors();
        }
    }

    @Test
    void aTraceShowsPacketsWhileTheyAreSent() {
        try (RawClient client = new RawConnect("press-5").open(nodes.port(1)).subscribe("plant/traced", 1)) {
            admin.goTo("/client?clientId=press-5")
                    .page()
                    .getByRole(
                            AriaRole.LINK,
                            new Page.GetByRoleOptions().setName("Trace").setExact(true))
                    .last()
                    .click();
            admin.click("Trace");
            Locator rows = page.locator("[data-events] tbody tr");
            assertThat(rows).hasCount(AdministeredNodes.COUNT);
            client.publish("plant/traced", "warm", 1, 7, false);

            assertThat(rows.filter(new Locator.FilterOptions().setHasText("plant/traced")))
                    .hasCount(2);
            assertThat(rows.filter(new Locator.FilterOptions().setHasText("PUBACK")))
                    .hasCount(1);
            assertThat(page.locator("[data-events]")).not().containsText("warm");
            client.take(1);
            assertThat(rows.filter(new Locator.FilterOptions().setHasText("PUBACK")))
                    .hasCount(2);
            admin.checkAccessibility();
            admin.picture("trace");
            admin.click("Stop");
            assertThat(page.locator("[data-state]")).containsText("You have stopped the trace.");
        }
    }

    @Test
    void aMessageIsPublished() {
        try (RawClient client = new RawConnect("press-6").open(nodes.port(2)).subscribe("plant/published", 1)) {
            admin.goTo("/publish");
            admin.field("Topic").fill("plant/published");
            admin.field("Payload").fill("cold");
            admin.click("Publish");

            assertThat(client.take(1)).extracting(RawPublish::payload).containsExactly("cold");
        }
    }

    @Test
    void aClientInTheBrowserPublishesAndReceives() {
        try (RawClient client = new RawConnect("press-8").open(nodes.port(2)).subscribe("plant/browser/out", 1)) {
            admin.goTo("/mqtt-client");
            admin.click("Connect");
            assertThat(page.locator("main [data-state]")).hasText("Connected");
            admin.field("Topic filter").fill("plant/browser/#");
            admin.click("Subscribe");
            assertThat(page.locator(".mqtt-subscriptions")).containsText("QoS 1");
            admin.field("Topic").fill("plant/browser/out");
            admin.field("Payload").fill("{\"on\": true}");
            admin.click("Publish");
            assertThat(client.take(1)).extracting(RawPublish::payload).containsExactly("{\"on\": true}");
            client.publish("plant/browser/in", "warm", 1, 1, false);
            client.expect(MqttMessageType.PUBACK);

            assertThat(page.locator("[data-messages] > li")).hasCount(3);
            assertThat(page.locator("[data-messages]")).containsText("warm");
            admin.checkAccessibility();
            admin.picture("mqtt-client");
            admin.click("Disconnect");
            assertThat(page.locator("main [data-state]")).hasText("Not connected");
        }
    }

    @Test
    void theClientInTheBrowserKnowsItsSessionAfterAReload() throws Exception {
        forgetClientsInTheBrowser();
        connectToAKeptSession();
        subscribe("plant/kept/1");
        subscribe("plant/kept/2");
        admin.click("Disconnect");
        admin.click("Unsubscribe plant/kept/2");

        admin.goTo("/mqtt-client");
        admin.click("Connect");
        assertThat(page.locator("main [data-session]")).containsText("with the session of before");
        assertThat(page.locator(".mqtt-subscriptions li")).hasText(Pattern.compile("^plant/kept/1QoS 1"));
        Soon.untilAsserted(() -> assertThat(nodes.get(0, "/api/v1/client/subscriptions?clientId=" + KEPT)
                        .path("items")
                        .valueStream()
                        .map(each -> each.path("topicFilter").asString()))
                .containsExactly("plant/kept/1"));
        admin.click("Disconnect");

        forgetClientsInTheBrowser();
        connectToAKeptSession();
        assertThat(page.locator(".mqtt-subscriptions li"))
                .hasText(Pattern.compile("^plant/kept/1QoS 1.*The session has it from before"));
        admin.click("Disconnect");
        forgetClientsInTheBrowser();
    }

    private void forgetClientsInTheBrowser() {
        admin.goTo("/mqtt-client");
        page.evaluate("localStorage.removeItem('heddle-mqtt')");
        admin.goTo("/mqtt-client");
    }

    private void connectToAKeptSession() {
        admin.field("Client id").fill(KEPT);
        admin.field("Session Expiry, seconds").fill("600");
        admin.field("Clean Start").uncheck();
        admin.click("Connect");
        assertThat(page.locator("main [data-state]")).hasText("Connected");
    }

    private void subscribe(String filter) {
        admin.field("Topic filter").fill(filter);
        admin.click("Subscribe");
        assertThat(page.locator(".mqtt-subscriptions li").filter(new Locator.FilterOptions().setHasText(filter)))
                .containsText("QoS 1");
    }

    @Test
    void aRuleIsChangedAfterADryRun() throws Exception {
        try (RawClient client = new RawConnect("press-7").open(nodes.port(1)).subscribe("plant/secret", 1)) {
            admin.goTo("/rules");
            page.locator("#rules textarea").fill("default allow\ndeny all plant/secret for everyone");
            admin.click("Dry run");
            Locator result = page.locator("#rules .result");
            assertThat(result).containsText("1 client would lose 1 subscription.");
            assertThat(result).containsText("press-7");
            admin.checkAccessibility();
            admin.picture("rules");
            client.publish("plant/other", "x", 1, 1, false);
            client.expect(MqttMessageType.PUBACK);

            admin.click("Save");
            admin.click("Replace");

            assertThat(client.closedBecause()).isEqualTo(NOT_AUTHORIZED);
            assertThat(result).containsText("Applied");
            assertThat(nodes.get(2, "/api/v1/rules").path("text").asString()).contains("deny all plant/secret");
        } finally {
            console.rules("default allow");
        }
    }

    @Order(Integer.MAX_VALUE)
    @Test
    void theOverviewShowsANodeThatIsDrained() throws Exception {
        String last = AdministeredNodes.id(AdministeredNodes.COUNT - 1);
        try (ConsoleWindow other = console.window().signIn("admin", nodes.password())) {
            admin.goTo("/");
            assertThat(page.locator("[data-chart=connections]"))
                    .hasAttribute("aria-label", Pattern.compile(last + " [1-9]"));
            other.goTo("/nodes");
            other.page()
                    .locator("#list tr")
                    .filter(new Locator.FilterOptions().setHasText(last))
                    .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("drain"))
                    .click();
            other.click("Drain");
            nodes.node(AdministeredNodes.COUNT - 1).awaitEnd(STOPS_WITHIN);
            console.move();

            assertThat(page.locator("[data-gone]")).containsText(last + " has left the cluster");
            for (int i = 0; i < AdministeredNodes.COUNT - 1; i++) {
                assertThat(page.locator("[data-chart=connections]"))
                        .hasAttribute(
                                "aria-label",
                                Pattern.compile(AdministeredNodes.id(i) + " " + (console.pumpsOfANode() + 2) + "\\b"));
            }
            admin.checkAccessibility();
            admin.picture("overview");
            other.assertWithoutErrors();
        }
        assertThat(List.of(nodes.node(0).isAlive(), nodes.node(1).isAlive())).containsOnly(true);
    }
}
