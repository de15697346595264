package io.heddle.app;

import io.heddle.app.console.Console;
import io.heddle.app.credentials.CredentialsCommand;
import io.heddle.core.lifecycle.Broker;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The program. {@code credentials …} administers stored credentials and ends; everything else starts the broker, which runs
 * until it gets a TERM or INT. Ends with exit status 0 after a requested stop, 1 when it cannot start, 2 for wrong arguments.
 */
public final class HeddleApplication {
    private static final int CANNOT_START = 1;

    private HeddleApplication() {}

    /** Runs the program. */
    public static void main(String[] arguments) {
        List<String> words = Arrays.asList(arguments);
        if (words.contains("--help") && !words.getFirst().equals(CredentialsCommand.NAME)) {
            Console.print(Usage.TEXT);
        } else if (!words.isEmpty() && words.getFirst().equals(CredentialsCommand.NAME)) {
            System.exit(CredentialsCommand.run(words.subList(1, words.size())));
        } else {
            serve(arguments);
        }
    }

    private static void serve(String[] arguments) {
        try {
            start(arguments);
        } catch (RuntimeException failure) {
            Console.printError(StartupFailure.sentence(failure));
            System.exit(CANNOT_START);
        }
    }

    /**
     * Starts a broker in this process and returns when it is ready; closing the context stops it.
     *
     * @throws RuntimeException when it cannot start; nothing of it is running then
     */
    public static ConfigurableApplicationContext start(String... arguments) {
        StandaloneServers servers = new StandaloneServers();
        ConfigurableApplicationContext context = null;
        boolean started = false;
        try {
            SpringApplication application = new SpringApplication(HeddleConfiguration.class);
            application.addListeners(new LogDirectory(), servers);
            application.addInitializers(servers);
            context = application.run(CommandLineArguments.toSettings(arguments));
            context.getBean(Broker.class).start();
            started = true;
            return context;
        } finally {
            if (!started) {
                if (context != null) {
                    context.close();
                }
                servers.stop();
            }
        }
    }
}
