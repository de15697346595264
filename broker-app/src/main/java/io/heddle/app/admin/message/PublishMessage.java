package io.heddle.app.admin.message;

import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.Body;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "publish", description = "Publishes a message, and returns when it is stored where it must be.")
public final class PublishMessage implements Callable<Integer> {
    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "TOPIC")
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private String topic;

    @ArgGroup
    private @Nullable Payload payload;

    /** The payload; without it, the payload is empty. */
    static final class Payload {
        @Option(
                names = {"-m", "--message"},
                paramLabel = "TEXT",
                description = "payload")
        private @Nullable String text;

        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "file whose content is the payload")
        private @Nullable Path file;
    }

    @Option(
            names = {"-q", "--qos"},
            paramLabel = "QOS",
            description = "0, 1 or 2 (default: 0)")
    private @Nullable Integer qos;

    @Option(
            names = {"-r", "--retain"},
            description = "retain the message")
    private boolean retain;

    @Option(names = "--expiry", paramLabel = "SECONDS", description = "when the message expires (default: never)")
    private @Nullable Long expirySeconds;

    @Option(names = "--content-type", paramLabel = "TEXT", description = "Content Type")
    private @Nullable String contentType;

    @Option(names = "--response-topic", paramLabel = "TOPIC", description = "Response Topic")
    private @Nullable String responseTopic;

    @Option(names = "--property", paramLabel = "NAME=VALUE", description = "User Property; may be repeated")
    private List<String> properties = new ArrayList<>();

    private PublishMessage() {}

    @Override
    public Integer call() {
        Body body = body();
        output.print(
                node -> node.post(ApiPath.of("publish"), body),
                answer -> "Published; recipients: " + answer.path("recipients").asLong(0));
        return 0;
    }

    private Body body() {
        String text = payload == null ? null : payload.text;
        Path file = payload == null ? null : payload.file;
        return Body.empty()
                .with("topic", topic)
                .with("payload", text)
                .with("payloadBase64", file == null ? null : content(file))
                .with("qos", qos)
                .with("retain", retain ? true : null)
                .with("expirySeconds", expirySeconds)
                .with("contentType", contentType)
                .with("responseTopic", responseTopic)
                .with(
                        "userProperties",
                        properties.isEmpty()
                                ? null
                                : properties.stream().map(UserProperty::parse).toList());
    }

    private record UserProperty(String name, String value) {
        static UserProperty parse(String text) {
            int end = text.indexOf('=');
            if (end < 0) {
                throw new IllegalArgumentException("--property is " + ControlCharacters.escaped(text)
                        + ": give a name and a value such as unit=kelvin");
            }
            return new UserProperty(text.substring(0, end), text.substring(end + 1));
        }
    }

    private static String content(Path file) {
        try {
            return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new StartupException(
                    "--file " + ControlCharacters.escaped(file.toString()) + " cannot be read: name a readable file",
                    e);
        }
    }
}
