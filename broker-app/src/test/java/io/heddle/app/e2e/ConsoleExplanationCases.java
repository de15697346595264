package io.heddle.app.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import io.heddle.app.e2e.browser.ConsoleWindow;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Why a client has not got a message: four causes, from the page of the client and from the page Explain. */
abstract class ConsoleExplanationCases {
    private final ConsoleUnderTest console;
    private final AdministeredNodes nodes;
    private final ConsoleWindow admin;

    ConsoleExplanationCases(ConsoleUnderTest console) {
        this.console = console;
        nodes = console.nodes();
        admin = console.admin();
    }

    @AfterEach
    void noPageHasReportedAnError() {
        admin.assertWithoutErrors();
    }

    private static RawConnect persistent(String clientId) {
        return new RawConnect(MqttVersion.MQTT_5, clientId).persistent(600);
    }

    /** Goes from the search to the page of a client and asks there. */
    private void askOnThePageOfTheClient(String clientId, String topic) {
        admin.goTo("/");
        admin.page().keyboard().press("/");
        admin.page().keyboard().type(clientId);
        admin.page().keyboard().press("Enter");
        admin.page()
                .locator("#list")
                .getByText(clientId, new Locator.GetByTextOptions().setExact(true))
                .click();
        assertThat(admin.heading(clientId)).isVisible();
        admin.field("Topic").fill(topic);
        admin.click("Explain");
    }

    private void assertConclusion(String verdict, String... sentences) {
        Locator conclusion = admin.page().locator(".verdict");
        assertThat(conclusion).containsText(verdict);
        for (String sentence : sentences) {
            assertThat(conclusion).containsText(sentence);
        }
        admin.checkAccessibility();
    }

    @Test
    void noSubscriptionMatches() {
        try (RawClient _ = new RawConnect("press-1").open(nodes.port(1)).subscribe("Plant/3/State", 1)) {
            askOnThePageOfTheClient("press-1", "plant/3/state");

            assertConclusion(
                    "No subscription",
                    "The only subscription of the client does not match the topic. The filter \"Plant/3/State\" would match");
            assertThat(admin.page()).hasURL(Pattern.compile("/client\\?clientId=press-1&topic=.*#explain$"));
        }
    }

    @Test
    void aRuleDenies() throws Exception {
        console.rules("default allow\npartial-subscriptions filter\ndeny all hall/2/secret for client press-2");
        try (RawClient _ = new RawConnect("press-2").open(nodes.port(1)).subscribe("hall/2/+", 1);
                RawClient publisher = new RawConnect("press-publisher").open(nodes.port(2))) {
            publisher.publish("hall/2/secret", "x", 1, 1, false);
            publisher.expect(MqttMessageType.PUBACK);

            admin.goTo("/").page().keyboard().press("g");
            admin.page().keyboard().press("e");
            assertThat(admin.heading("Explain")).isVisible();
            admin.field("Client id").fill("press-2");
            admin.field("Topic").fill("hall/2/secret");
            admin.click("Explain");

            assertConclusion("Denied", "rule 1, \"deny all hall/2/secret for client press-2\".");
            assertThat(admin.page().getByRole(AriaRole.TABLE)).containsText("denied_to_receive");
        } finally {
            console.rules("default allow");
        }
    }

    @Test
    void theQueueIsFull() {
        persistent("press-3").open(nodes.port(1)).subscribe("plant/full", 1).close();
        try (RawClient publisher = new RawConnect("press-publisher").open(nodes.port(2))) {
            for (int i = 0; i <= ConsoleUnderTest.QUEUE; i++) {
                publisher.publish("plant/full", "x", 1, 1, false);
                publisher.expect(MqttMessageType.PUBACK);
            }
        }

        askOnThePageOfTheClient("press-3", "plant/full");

        assertConclusion(
                "Stored",
                "The client is away since",
                "The message is stored until the client returns",
                "its queue was full (queue_full).");
    }

    @Test
    void theMessageHasExpired() throws Exception {
        persistent("press-4").open(nodes.port(1)).subscribe("plant/late", 1).close();
        nodes.ok(
                1,
                "POST",
                "/api/v1/publish",
                "{\"topic\": \"plant/late\", \"payload\": \"x\", \"qos\": 1, \"expirySeconds\": 1}");
        Instant expired = Instant.now().plus(Duration.ofMillis(1_100));
        Soon.until(() -> Instant.now().isAfter(expired));
        try (RawClient client = persistent("press-4").open(nodes.port(1))) {
            assertThat(client.messagesUntilPing()).isEmpty();

            askOnThePageOfTheClient("press-4", "plant/late");

            assertConclusion(
                    "Delivered",
                    "The client gets the message, with QoS 1.",
                    "the latest one on this topic was dropped",
                    "the message had expired (expired).");
        }
    }
}
