package io.heddle.api.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.core.mqtt.QoS;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** The pages of the console that show messages. */
final class ConsoleMessagesTest extends MessagesFixture {
    private String page(String path) {
        HttpResponse<String> page = get(path);
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        return page.body();
    }

    @Test
    void retainedMessagesAreListedAndShown() {
        assertThat(page("/retained")).contains("No topic has a retained message");
        publisher.retain("plant/<b>", "of <i>");

        assertThat(page("/retained?filter=plant%2F%23"))
                .contains("href=\"/retained-message?topic=plant%2F%3Cb%3E\"", "plant/&lt;b&gt;");
        assertThat(page("/retained-message?topic=plant%2F%3Cb%3E"))
                .contains("of &lt;i&gt;", "data-if-match=\"&quot;", "DELETE /api/v1/retained/message")
                .doesNotContain("<i>");
        assertThat(get("/retained-message?topic=nothing").statusCode()).isEqualTo(404);
        ApiClient.problem(get("/api/v1/retained/message?topic=nothing"), 404);
    }

    @Test
    void logsOfApplicationClientsAreListedAndShown() {
        connect("app-1").subscribe(QoS.AT_LEAST_ONCE, "t");

        assertThat(page("/applications")).contains("href=\"/application?clientId=app-1\"");
        assertThat(page("/application?clientId=app-1")).contains("POST /api/v1/applications/seek", "Lag");
    }
}
