package io.heddle.app.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.Ended;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.testkit.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two broker processes; a debugger suspends one thread of the second one. */
@OwnProcesses(because = "a broker that was declared dead ends its process")
@Tag("ci")
@Tag("alone")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class StuckThreadIT {
    private static final Duration NOTICES_WITHIN = Duration.ofSeconds(30);
    private static final int NODE_IS_OVER = 75;
    private static final String TOPIC = "stuck-thread/test";
    private static final Pattern DEBUGGER_PORT = Pattern.compile("dt_socket at address: ([0-9]+)");

    @ParameterizedTest
    @ValueSource(strings = {"heddle-loop-0", "heddle-follow-clients"})
    void theOtherBrokerTakesOver(String thread) throws Exception {
        try (BrokerProcess first = broker("stuck-thread-a", List.of()).awaitReady();
                BrokerProcess second = broker(
                                "stuck-thread-b",
                                List.of("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"))
                        .awaitReady()) {
            RawClient subscriber = new RawConnect(Library.newClientId())
                    .persistent(3_600)
                    .answersWithin(NOTICES_WITHIN)
                    .open(first.mqttPort());
            VirtualMachine debugged = attach(second);
            ThreadReference stuck = debugged.allThreads().stream()
                    .filter(each -> each.name().equals(thread))
                    .findFirst()
                    .orElseThrow();
            stuck.suspend();
            try (subscriber) {
                subscriber.subscribe(TOPIC, 1);
                assertThat(first.output() + first.errors())
                        .as("SUBACK has waited for the end of the other node")
                        .contains("Declaring a node dead");
                subscriber.disconnect((byte) 0);
            }
            assertThat(second.output() + second.errors())
                    .contains("A thread stands still")
                    .contains("thread=" + thread);
            stuck.resume();
            debugged.dispose();

            Ended ended = second.awaitEnd(NOTICES_WITHIN);
            assertThat(ended.status()).isEqualTo(NODE_IS_OVER);
        }
    }

    private static BrokerProcess broker(String id, List<String> jvmOptions) throws Exception {
        return BrokerProcess.withoutServers(
                jvmOptions,
                BrokerUnderTest.defaultSettings(
                        id, TestServers.shared(), "--heddle.authentication.anonymous.enabled=true"));
    }

    private static VirtualMachine attach(BrokerProcess broker) throws Exception {
        Matcher port = DEBUGGER_PORT.matcher(broker.output() + broker.errors());
        assertThat(port.find()).isTrue();
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.name().equals("com.sun.jdi.SocketAttach"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
        requireNonNull(arguments.get("port")).setValue(port.group(1));
        return connector.attach(arguments);
    }
}
