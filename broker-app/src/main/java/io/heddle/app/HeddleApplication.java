package io.heddle.app;

import io.heddle.app.console.Console;
import io.heddle.app.console.ProgramVersion;
import io.heddle.app.console.UnwritableOutputException;
import io.heddle.app.credentials.AdminCommand;
import io.heddle.app.credentials.CredentialsCommand;
import io.heddle.app.start.BrokerLifecycle;
import io.heddle.app.start.StartupFailure;
import io.heddle.app.start.StopLimit;
import io.heddle.app.start.Usage;
import java.util.Arrays;
import java.util.List;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The program. {@code credentials …} administers stored credentials, {@code admin …} administrators, and ends;
 * everything else starts the broker, which runs until it gets a TERM or INT, and then ends in order with the exit
 * status of every JVM that got one, 143 or 130. The status is 1 when it cannot start; 0, 1 or 2 (wrong arguments) after
 * these.
 */
public final class HeddleApplication {
    private static final int CANNOT_START = 1;
    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";
    private static final int MINIMUM_CARRIERS = 32;
    private static final String LOG_CONFIGURATION = "logback.configurationFile";

    private HeddleApplication() {}

    /** Runs the program. */
    public static void main(String[] arguments) {
        giveVirtualThreadsCarriers();
        logToTerminal();
        List<String> words = Arrays.asList(arguments);
        String first = words.isEmpty() ? "" : words.getFirst();
        if (first.equals(CredentialsCommand.NAME)) {
            System.exit(CredentialsCommand.run(words.subList(1, words.size())));
        } else if (first.equals(AdminCommand.NAME)) {
            System.exit(AdminCommand.run(words.subList(1, words.size())));
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
            Console.printError("Heddle cannot answer: " + failure.getMessage());
            System.exit(CANNOT_START);
        }
    }

    /**
     * Makes the first logger with a configuration of our own; logback's would write to standard output. Spring Boot replaces it by
     * the broker's when the settings are known, and does not want to find the property.
     */
    private static void logToTerminal() {
        System.setProperty(LOG_CONFIGURATION, "logback-terminal.xml");
        LoggerFactory.getILoggerFactory();
        System.clearProperty(LOG_CONFIGURATION);
    }

    /**
     * A virtual thread that waits while a class is loaded keeps its carrier thread. With as many carriers as a small machine has
     * processors a few such waits stop them all, for ever if what they wait for needs a carrier too.
     */
    private static void giveVirtualThreadsCarriers() {
        if (System.getProperty(CARRIERS) == null) {
            int carriers = Math.max(MINIMUM_CARRIERS, Runtime.getRuntime().availableProcessors());
            System.setProperty(CARRIERS, Integer.toString(carriers));
        }
    }

    private static void serve(String[] arguments) {
        BrokerLifecycle life = new BrokerLifecycle();
        StopLimit.set();
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("heddle-stop").unstarted(life::stop));
        try {
            life.start(arguments);
        } catch (RuntimeException failure) {
            if (!life.isStopRequested()) {
                Console.printError(StartupFailure.sentence(failure));
                System.exit(CANNOT_START);
            }
        }
    }

    /**
     * Starts a broker in this process and returns when it is ready; closing the context stops it.
     *
     * @throws RuntimeException when it cannot start; nothing of it is running then
     */
    public static ConfigurableApplicationContext start(String... arguments) {
        return new BrokerLifecycle().start(arguments);
    }
}
