package io.heddle.app.start;

import io.heddle.app.console.TerminalLog;
import io.heddle.app.drain.Drain;
import io.heddle.app.wiring.HeddleConfiguration;
import io.heddle.app.wiring.NodeEnd;
import io.heddle.app.wiring.StandaloneServers;
import io.heddle.core.lifecycle.Broker;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.transport.listener.Transport;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A broker in this process, from its arguments to its end. States: new → starting → running → ended. One thread starts it, once. Any thread may
 * end it at any time, also during the start: the started phases stop in reverse order, the standalone servers last.
 */
public final class BrokerLifecycle implements Program {
    /** The exit status of a node that the cluster has declared dead: EX_TEMPFAIL of sysexits.h, which asks for another try. */
    public static final int NODE_IS_OVER = 75;

    private static final Logger log = LoggerFactory.getLogger(BrokerLifecycle.class);
    private static final int GAVE_UP = 1;

    private final StandaloneServers servers = new StandaloneServers(this::giveUp);
    private final ConfigurationFiles files = new ConfigurationFiles();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ProcessEnd processEnd = new ProcessEnd(this::stopStart, System::exit);
    private volatile boolean stopRequested;
    private volatile @Nullable Drain drain;
    private volatile @Nullable Broker broker;
    // Guarded by this.
    private @Nullable ConfigurableApplicationContext context;
    private boolean ending;

    /**
     * Starts the broker and returns when it is ready. Closing the context ends the broker, too.
     *
     * @throws RuntimeException if the broker cannot start; all that was started is stopped
     */
    public ConfigurableApplicationContext start(String... arguments) {
        TerminalLog.show(false);
        try {
            SpringApplication application = new SpringApplication(HeddleConfiguration.class);
            // The hook of Spring does not stop servers that were started before the context exists.
            application.setRegisterShutdownHook(false);
            application.setResourceLoader(files);
            application.addListeners(
                    files,
                    new SettingsCheck(),
                    new LogDirectory(),
                    new LogTroubleListener(),
                    new ListenersCheck(Transport::isAvailable, null),
                    servers);
            application.addInitializers(servers, new NodeEnd(this::onNodeOver, processEnd::leave));
            ConfigurableApplicationContext created = application.run(CommandLineArguments.toSettings(arguments));
            adopt(created);
            Broker starting = created.getBean(Broker.class);
            drain = created.getBean(Drain.class);
            broker = starting;
            starting.start();
            processEnd.onRunning();
            TerminalLog.show(true);
            return created;
        } catch (RuntimeException failure) {
            end();
            String sentence = processEnd.reason();
            throw sentence == null ? files.explain(failure) : new StartupException(sentence, failure);
        }
    }

    private void adopt(ConfigurableApplicationContext created) {
        synchronized (this) {
            if (!ending) {
                context = created;
                return;
            }
        }
        created.close();
        throw new StartupException("The start was interrupted", null);
    }

    @Override
    public void run(String... arguments) {
        var _ = start(arguments);
    }

    @Override
    public void stop() {
        stopRequested = true;
        end();
    }

    @Override
    public boolean isStopRequested() {
        return stopRequested;
    }

    private void end() {
        if (isFirstToEnd()) {
            close();
        } else {
            awaitEnd();
        }
    }

    /** Interrupts the start, whose thread then throws. The broker stops first, because closing the context may wait for HTTP requests. */
    private void stopStart() {
        if (isFirstToEnd()) {
            Broker starting = broker;
            if (starting != null) {
                starting.stop();
            }
            close();
        }
    }

    /** Only the first caller closes the context, because Spring interrupts a thread that waits for another close. */
    private synchronized boolean isFirstToEnd() {
        boolean isFirst = !ending;
        ending = true;
        return isFirst;
    }

    private void close() {
        ConfigurableApplicationContext created;
        synchronized (this) {
            created = context;
        }
        try {
            if (created != null) {
                Drain ready = readyToDrain();
                if (stopRequested && ready != null) {
                    ready.run();
                }
                created.close();
            }
            servers.stop();
        } finally {
            ended.countDown();
        }
    }

    /** Returns the drain of a broker that serves; null for any other. */
    private @Nullable Drain readyToDrain() {
        Broker current = broker;
        return current != null && current.state() == Broker.State.READY ? drain : null;
    }

    @Override
    public Duration timeBeforeStop() {
        Drain ready = readyToDrain();
        return ready == null ? Duration.ZERO : ready.limit();
    }

    private void awaitEnd() {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Ends the process after a server has crashed too often, so that a supervisor notices. During the start, the start stops and fails with
     * this sentence; later the sentence is in the log and on the terminal.
     */
    private void giveUp(String sentence) {
        processEnd.request(sentence, GAVE_UP);
    }

    /** Ends the process after the cluster has declared this node dead. A supervisor should start it again. */
    void onNodeOver(String sentence) {
        log.error("{}", sentence);
        processEnd.request(sentence, NODE_IS_OVER);
    }

    @Override
    public int exitStatus() {
        return processEnd.status();
    }
}
