package io.heddle.app.start;

import io.heddle.app.console.TerminalLog;
import io.heddle.app.wiring.HeddleConfiguration;
import io.heddle.app.wiring.StandaloneServers;
import io.heddle.core.lifecycle.Broker;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.transport.listener.Transport;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * One life of a broker in this process, from its arguments to its end. States: new → starting → running → ended; started once, by
 * one thread; ended from any thread and at any moment, in order: what has started so far is stopped, and the servers last, also
 * while the program is still being put together.
 */
public final class BrokerLifecycle {
    private final StandaloneServers servers = new StandaloneServers(this::giveUp);
    private final ConfigurationFiles files = new ConfigurationFiles();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopRequested;
    private volatile boolean running;
    private volatile @Nullable String givenUp;
    // Guarded by this.
    private @Nullable ConfigurableApplicationContext context;
    private boolean ending;

    /**
     * Starts the broker and returns when it is ready; closing the context ends it, too.
     *
     * @throws RuntimeException when it cannot start; nothing of it is running then
     */
    public ConfigurableApplicationContext start(String... arguments) {
        TerminalLog.show(false);
        try {
            SpringApplication application = new SpringApplication(HeddleConfiguration.class);
            // Spring's own hook knows nothing of servers whose context is not there yet.
            application.setRegisterShutdownHook(false);
            application.setResourceLoader(files);
            application.addListeners(
                    files,
                    new SettingsCheck(),
                    new LogDirectory(),
                    new LogTroubleListener(),
                    new ListenersCheck(Transport::isAvailable),
                    servers);
            application.addInitializers(servers);
            ConfigurableApplicationContext made = application.run(CommandLineArguments.toSettings(arguments));
            adopt(made);
            made.getBean(Broker.class).start();
            String sentence = givenUp;
            if (sentence != null) {
                throw new StartupException(sentence, null);
            }
            running = true;
            TerminalLog.show(true);
            return made;
        } catch (RuntimeException failure) {
            end();
            String sentence = givenUp;
            throw sentence == null ? files.explain(failure) : new StartupException(sentence, failure);
        }
    }

    private void adopt(ConfigurableApplicationContext made) {
        synchronized (this) {
            if (!ending) {
                context = made;
                return;
            }
        }
        made.close();
        throw new StartupException("The start was interrupted", null);
    }

    /** Ends it and returns when nothing of it is running. Harmless when repeated. */
    public void stop() {
        stopRequested = true;
        end();
    }

    /** Whether somebody wanted it to end, so that a start that failed needs no explanation. */
    public boolean isStopRequested() {
        return stopRequested;
    }

    /** Only the first caller does it: Spring interrupts a thread that it finds waiting in a close. */
    private void end() {
        ConfigurableApplicationContext made;
        boolean first;
        synchronized (this) {
            first = !ending;
            ending = true;
            made = context;
        }
        if (!first) {
            awaitEnd();
            return;
        }
        try {
            if (made != null) {
                made.close();
            }
            servers.stop();
        } finally {
            ended.countDown();
        }
    }

    private void awaitEnd() {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A server died again and again: the broker cannot go on, and a supervisor or a person has to know. While the broker starts,
     * the start fails with this sentence; later it is in the log, and on the terminal with it.
     */
    private void giveUp(String sentence) {
        givenUp = sentence;
        if (running) {
            Thread.ofPlatform().name("heddle-give-up").start(() -> System.exit(1));
        }
    }
}
