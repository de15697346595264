package io.heddle.app.start;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.app.wiring.StandaloneServers;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.directory.DataDirectory;
import io.heddle.standalone.directory.StandaloneException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The settings of a command that uses stores as a node does, from the same arguments, environment and configuration files. In the profile
 * {@code standalone} the stores are those of the broker that runs on the data directory; if none runs there, they are started for the
 * duration of the command. One thread.
 */
public final class StoresOfCommand implements AutoCloseable {
    private final StandaloneServers servers;
    private final ConfigurableApplicationContext context;

    private StoresOfCommand(StandaloneServers servers, ConfigurableApplicationContext context) {
        this.servers = servers;
        this.context = context;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(HeddleSettings.class)
    static class SettingsOnly {}

    /**
     * Reads the settings and starts the servers, if necessary.
     *
     * @param arguments options and settings of a broker
     * @param mustExist rejects a data directory without data, which may be mistyped
     * @param needed the stores that the command uses
     * @throws StartupException if a setting is wrong, or the servers do not start
     */
    public static StoresOfCommand open(List<String> arguments, boolean mustExist, Set<Server> needed) {
        // The log goes to standard error, as the first logger of the process is configured.
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        StandaloneServers servers = StandaloneServers.ofCommand(needed);
        ConfigurationFiles files = new ConfigurationFiles();
        boolean complete = false;
        try {
            SpringApplication application = new SpringApplication(SettingsOnly.class);
            application.setWebApplicationType(WebApplicationType.NONE);
            application.setRegisterShutdownHook(false);
            application.setResourceLoader(files);
            application.addListeners(files, new SettingsCheck());
            if (mustExist) {
                application.addListeners(new StoredDataCheck());
            }
            application.addListeners(servers);
            StoresOfCommand opened = new StoresOfCommand(
                    servers, application.run(CommandLineArguments.toSettings(arguments.toArray(String[]::new))));
            servers.start();
            complete = true;
            return opened;
        } catch (RuntimeException failure) {
            throw new StartupException(StartupFailure.reason(files.explain(failure)), failure);
        } finally {
            if (!complete) {
                servers.stop();
            }
        }
    }

    public HeddleSettings settings() {
        return context.getBean(HeddleSettings.class);
    }

    @Override
    public void close() {
        context.close();
        servers.stop();
    }

    /** Rejects a data directory that no broker has used. */
    private static final class StoredDataCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {
        @Override
        public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
            ConfigurableEnvironment environment = event.getEnvironment();
            if (!environment.acceptsProfiles(StandaloneSettings.PROFILE)
                    || environment.containsProperty(StandaloneServers.POSTGRES_URL)) {
                return;
            }
            Path directory = Binder.get(environment)
                    .bindOrCreate(HeddleSettings.PREFIX + ".standalone", StandaloneSettings.class)
                    .dataDirectory();
            try {
                if (Servers.runningEndpoints(directory).isEmpty() && !DataDirectory.hasDatabase(directory)) {
                    throw new StartupException(
                            "no broker has kept its data in " + directory + " yet: give its data directory with"
                                    + " --data-dir, or heddle.postgres.url if it uses a PostgreSQL of your own",
                            null);
                }
            } catch (StandaloneException unusable) {
                throw new StartupException(String.valueOf(unusable.getMessage()), unusable);
            }
        }
    }
}
