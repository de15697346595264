package io.heddle.app;

import io.heddle.app.admin.AdminCommand;
import io.heddle.app.backup.BackupCommand;
import io.heddle.app.console.Console;
import io.heddle.app.console.ProgramVersion;
import io.heddle.app.console.UnwritableOutputException;
import io.heddle.app.credentials.CredentialsCommand;
import io.heddle.app.nodes.NodesOption;
import io.heddle.app.nodes.SupervisedNode;
import io.heddle.app.rules.RulesCommand;
import io.heddle.app.start.BrokerLifecycle;
import io.heddle.app.start.HeapCheck;
import io.heddle.app.start.LocalCluster;
import io.heddle.app.start.Program;
import io.heddle.app.start.StartupFailure;
import io.heddle.app.start.StopLimit;
import io.heddle.app.start.Usage;
import io.heddle.app.tls.command.TlsCommand;
import java.util.Arrays;
import java.util.List;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Main class. {@code credentials …} administers stored credentials, {@code admin …} a cluster and its administrators, {@code rules …} converts
 * rules for topics, {@code tls …} creates certificates, and {@code backup} and {@code restore} copy the state of a cluster. All end with the status 0, 1 or 2 (wrong arguments).
 * Everything else starts the broker, which runs until it receives TERM or INT ({@code --nodes}: several, as processes of their own). It
 * then stops in order, with the exit status of every JVM after these signals, 143 or 130. The status is 1 if the broker cannot start, and
 * {@value BrokerLifecycle#NODE_IS_OVER} after the cluster has declared its node dead.
 */
public final class HeddleApplication {
    private static final int CANNOT_START = 1;
    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";
    private static final int MINIMUM_CARRIERS = 32;
    private static final String LOG_CONFIGURATION = "logback.configurationFile";

    private HeddleApplication() {}

    public static void main(String[] arguments) {
        addCarrierThreads();
        logToTerminal();
        List<String> words = Arrays.asList(arguments);
        String first = words.isEmpty() ? "" : words.getFirst();
        if (first.equals(CredentialsCommand.NAME)) {
            System.exit(CredentialsCommand.run(words.subList(1, words.size())));
        } else if (first.equals(AdminCommand.NAME)) {
            System.exit(AdminCommand.run(words.subList(1, words.size())));
        } else if (first.equals(BackupCommand.BACKUP) || first.equals(BackupCommand.RESTORE)) {
            System.exit(BackupCommand.run(first, words.subList(1, words.size())));
        } else if (first.equals(RulesCommand.NAME)) {
            System.exit(RulesCommand.run(words.subList(1, words.size())));
        } else if (first.equals(TlsCommand.NAME)) {
            System.exit(TlsCommand.run(words.subList(1, words.size())));
        } else if (words.contains("--help") || words.contains("-h")) {
            print(Usage.TEXT);
        } else if (words.contains("--version")) {
            print(ProgramVersion.text());
        } else {
            serve(arguments);
        }
    }

    private static void print(String text) {
        try {
            Console.print(text);
        } catch (UnwritableOutputException failure) {
            Console.printError("Heddle cannot print its answer: " + failure.getMessage());
            System.exit(CANNOT_START);
        }
    }

    /**
     * Creates the first logger with our own configuration, because the default of logback writes to standard output. Spring Boot replaces
     * the configuration once the settings are known, and fails if the property is still set.
     */
    private static void logToTerminal() {
        System.setProperty(LOG_CONFIGURATION, "logback-terminal.xml");
        LoggerFactory.getILoggerFactory();
        System.clearProperty(LOG_CONFIGURATION);
    }

    /**
     * Adds carrier threads. A virtual thread that waits for the loading of a class keeps its carrier. With one carrier for each processor
     * of a small machine, a few such waits block all virtual threads, for ever if the class loading needs a carrier too.
     */
    private static void addCarrierThreads() {
        if (System.getProperty(CARRIERS) == null) {
            int carriers = Math.max(MINIMUM_CARRIERS, Runtime.getRuntime().availableProcessors());
            System.setProperty(CARRIERS, Integer.toString(carriers));
        }
    }

    private static void serve(String[] arguments) {
        Program program = NodesOption.isGiven(Arrays.asList(arguments)) ? new LocalCluster() : new BrokerLifecycle();
        StopLimit.set(program::timeBeforeStop, program::exitStatus);
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("heddle-stop").unstarted(program::stop));
        if (SupervisedNode.isThisProcess()) {
            SupervisedNode.onEndOfSupervisor(System.in, () -> System.exit(CANNOT_START));
        }
        try {
            HeapCheck.require(Runtime.getRuntime().maxMemory());
            program.run(arguments);
        } catch (RuntimeException failure) {
            if (!program.isStopRequested()) {
                Console.printError(StartupFailure.sentence(failure));
                System.exit(program.exitStatus());
            }
        }
    }

    /**
     * Starts a broker in this process and returns when it is ready. Closing the context stops the broker.
     *
     * @throws RuntimeException if the broker cannot start; all that was started is stopped
     */
    public static ConfigurableApplicationContext start(String... arguments) {
        return new BrokerLifecycle().start(arguments);
    }
}
