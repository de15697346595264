package io.heddle.app.start;

import io.heddle.app.console.Announced;
import io.heddle.app.console.Console;
import io.heddle.app.console.TerminalLog;
import io.heddle.app.console.UnwritableOutputException;
import io.heddle.app.nodes.NodeCommand;
import io.heddle.app.nodes.NodePorts;
import io.heddle.app.nodes.NodeProcess;
import io.heddle.app.nodes.NodesOption;
import io.heddle.app.wiring.StandaloneServers;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.directory.DataDirectory;
import io.heddle.transport.listener.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.context.annotation.Configuration;

/**
 * Several nodes on this machine for {@code ./heddle --nodes}: this process runs the bundled servers and supervises the nodes, which are
 * processes of the same program. States: new → starting → running → ended. One thread starts it, once. Any thread may end it at any time:
 * the nodes stop first, the servers last.
 */
public final class LocalCluster implements Program, NodeProcess.Terminal {
    private static final int CANNOT_GO_ON = 1;
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final String HTTP_PORT = "heddle.http.port";
    private static final String PROBE_PORT = "heddle.http.probe-port";

    private final StandaloneServers servers = new StandaloneServers(this::giveUp);
    private final ProcessEnd processEnd = new ProcessEnd(this::end, System::exit);
    private final Object stop = new Object();
    private volatile boolean stopRequested;
    private volatile boolean running;
    // Guarded by this.
    private final List<NodeProcess> nodes = new ArrayList<>();
    private boolean ending;

    @Configuration(proxyBeanMethods = false)
    static class NoBeans {}

    @Override
    public void run(String... arguments) {
        TerminalLog.show(false);
        ConfigurationFiles files = new ConfigurationFiles();
        try {
            NodesOption option = NodesOption.of(Arrays.asList(arguments));
            String[] settings = CommandLineArguments.toSettings(option.others().toArray(String[]::new));
            NodesCheck check = new NodesCheck(option.count());
            prepare(files, check, settings);
            servers.start();
            NodeCommand command = NodeCommand.ofThisProcess(arguments.length, option.count());
            List<NodeProcess> created = create(command, List.of(settings), check.ports());
            for (NodeProcess node : created) {
                node.start();
                if (node.equals(created.getFirst())) {
                    // The first one creates topics, tables and the administrator.
                    node.awaitUp();
                }
            }
            for (NodeProcess node : created) {
                node.awaitUp();
            }
            announce(created);
            processEnd.onRunning();
            running = true;
            TerminalLog.show(true);
        } catch (InterruptedException e) {
            end();
            Thread.currentThread().interrupt();
            throw new StartupException("The start was interrupted", e);
        } catch (RuntimeException failure) {
            end();
            String sentence = processEnd.reason();
            throw sentence == null ? files.explain(failure) : new StartupException(sentence, failure);
        }
    }

    /** Reads and checks the settings, and starts the servers. Spring's context has no beans; closing it would end the log. */
    private void prepare(ConfigurationFiles files, NodesCheck check, String... settings) {
        SpringApplication application = new SpringApplication(NoBeans.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        application.setResourceLoader(files);
        application.addListeners(
                files,
                new SettingsCheck(),
                check,
                new LogDirectory(),
                new LogTroubleListener(),
                new ListenersCheck(Transport::isAvailable, check),
                servers);
        application.addInitializers(servers);
        var _ = application.run(settings);
    }

    private synchronized List<NodeProcess> create(NodeCommand command, List<String> settings, NodePorts ports) {
        if (ending) {
            throw new StartupException("The start was interrupted", null);
        }
        DataDirectory data = Objects.requireNonNull(servers.servers(), "the servers have started")
                .dataDirectory();
        Path runs;
        try {
            runs = data.directory("run");
        } catch (IOException e) {
            throw new StartupException(
                    "the data directory " + data.path() + " cannot be written (" + e.getMessage() + ")", e);
        }
        Console.print("Starting " + ports.count() + " nodes on one Kafka, Redis and PostgreSQL; data: " + data.path());
        for (int i = 0; i < ports.count(); i++) {
            String name = "node-" + (i + 1);
            List<String> own = new ArrayList<>(settings);
            int probes = ports.probes(i);
            own.removeIf(setting -> isSetting(HTTP_PORT, setting)
                    || (probes != 0 && isSetting(PROBE_PORT, setting))
                    || ports.moved().keySet().stream().anyMatch(key -> isSetting(key, setting)));
            own.add("--heddle.node.id=" + name);
            own.add("--heddle.mqtt.port-offset=" + i);
            ports.moved().forEach((key, port) -> own.add("--" + key + "=" + port));
            own.add("--" + HTTP_PORT + "=" + ports.http(i));
            if (probes != 0) {
                own.add("--" + PROBE_PORT + "=" + probes);
            }
            nodes.add(new NodeProcess(name, command.with(own), runs, this, PAUSE));
        }
        return List.copyOf(nodes);
    }

    /** Returns whether a setting, as {@code --key=value}, has this key. */
    private static boolean isSetting(String key, String setting) {
        String own = setting.substring("--".length(), setting.indexOf('='));
        return ConfigurationPropertyName.of(key).equals(ConfigurationPropertyName.adapt(own, '.'));
    }

    private static void announce(List<NodeProcess> nodes) {
        StringBuilder text = new StringBuilder();
        for (NodeProcess node : nodes) {
            String mqtt = String.join(", ", node.announcedListeners());
            text.append("  %s: process %d, serves %s, %s%n"
                    .formatted(node.name(), node.pid(), mqtt, node.announced("http")));
        }
        text.append("  try: kill -9 ")
                .append(nodes.getFirst().pid())
                .append(" (its clients find their sessions at the other nodes; it is started again after ")
                .append(PAUSE.toSeconds())
                .append(" s)\n");
        Console.print(text.append(Announced.READY).toString());
    }

    @Override
    public void print(String line) {
        try {
            Console.print(line);
        } catch (UnwritableOutputException e) {
            // During the start a password may be lost. Later the nodes outlive a closed terminal.
            if (!running) {
                giveUp(String.valueOf(e.getMessage()));
            }
        }
    }

    @Override
    public void printError(String line) {
        Console.printError(line);
    }

    /** Ends the process after its servers or the terminal have failed. */
    private void giveUp(String sentence) {
        processEnd.request(sentence, CANNOT_GO_ON);
    }

    @Override
    public void stop() {
        stopRequested = true;
        end();
    }

    private void end() {
        List<NodeProcess> started;
        synchronized (this) {
            ending = true;
            started = List.copyOf(nodes);
        }
        started.forEach(NodeProcess::requestStop);
        // The last caller returns when everything has stopped, too.
        synchronized (stop) {
            started.forEach(NodeProcess::awaitEnd);
            servers.stop();
        }
    }

    /** The nodes stop at the same time; each may have to be killed. The servers have the limit of a single broker. */
    @Override
    public Duration timeBeforeStop() {
        return NodeProcess.STOP_WITHIN.multipliedBy(2);
    }

    @Override
    public boolean isStopRequested() {
        return stopRequested;
    }

    @Override
    public int exitStatus() {
        return processEnd.status();
    }
}
