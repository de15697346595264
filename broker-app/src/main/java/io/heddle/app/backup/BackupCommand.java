package io.heddle.app.backup;

import io.heddle.app.console.Console;
import io.heddle.app.console.UnwritableOutputException;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.start.StartupFailure;
import io.heddle.app.start.StoresOfCommand;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.backup.BackupEntry.Origin;
import io.heddle.persistence.backup.BackupReader;
import io.heddle.persistence.backup.BackupWriter;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.backup.TopicsBackup;
import io.heddle.persistence.kafka.backup.TopicsRestore;
import io.heddle.persistence.postgres.PostgresTables;
import io.heddle.standalone.Server;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The commands that copy the state of a cluster to a file and back. */
public final class BackupCommand {
    /** First argument that selects the backup. */
    public static final String BACKUP = "backup";

    /** First argument that selects the restore. */
    public static final String RESTORE = "restore";

    /** Redis has nothing that a backup could use. */
    private static final Set<Server> STORES = Set.of(Server.KAFKA, Server.POSTGRESQL);

    private static final int FAILED = 1;
    private static final int WRONG_ARGUMENTS = 2;

    private static final String USAGE = """
            Usage: ./heddle backup FILE [--data-dir DIR] [--heddle.any.setting=value ...]
                   ./heddle restore FILE [--data-dir DIR] [--heddle.any.setting=value ...]

            backup writes credentials, administrators, the audit log, sessions, subscriptions, wills, retained messages and
            the positions of APPLICATION clients to a new file. Nodes may run meanwhile. Messages in queues are not in it.
            restore writes them back to an empty PostgreSQL and to empty topics. No node may run meanwhile.
            Both use the settings of a node; docs/operations.md describes the procedure.""";

    private BackupCommand() {}

    /**
     * @param command {@link #BACKUP} or {@link #RESTORE}
     * @param arguments arguments after the name of the command
     * @return the exit status: 0 success, 1 failure, 2 wrong arguments
     */
    public static int run(String command, List<String> arguments) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            Console.print(USAGE);
            return 0;
        }
        List<String> settings = new ArrayList<>(arguments);
        int position = positionOfFile(arguments);
        if (position < 0) {
            Console.printError("Name a file\n" + USAGE);
            return WRONG_ARGUMENTS;
        }
        Path file = Path.of(settings.remove(position)).toAbsolutePath();
        try {
            if (command.equals(BACKUP)) {
                backUp(file, settings);
            } else {
                restore(file, settings);
            }
            return 0;
        } catch (StoreUnavailableException | UncheckedIOException | UnwritableOutputException e) {
            Console.printError("The " + command + " has failed: " + e.getMessage());
            return FAILED;
        } catch (RuntimeException e) {
            Console.printError("The " + command + " has failed: " + StartupFailure.reason(e));
            return FAILED;
        }
    }

    /** Returns the index of the first argument that is neither an option nor the value of an option; negative if there is none. */
    private static int positionOfFile(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            if (!arguments.get(i).startsWith("-")) {
                return i;
            }
            if (!arguments.get(i).contains("=")) {
                i++;
            }
        }
        return -1;
    }

    private static void backUp(Path file, List<String> arguments) {
        if (Files.exists(file)) {
            throw new StartupException(file + " exists already: name a new file", null);
        }
        Path folder = file.getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new StartupException(
                    "there is no folder " + folder + ": create it, or name a file in another one", null);
        }
        try (StoresOfCommand stores = StoresOfCommand.open(arguments, true, STORES)) {
            HeddleSettings settings = stores.settings();
            KafkaSettings kafka = settings.kafka().toKafkaSettings(settings.buckets());
            long records;
            try (PrivateFile unfinished = PrivateFile.create(file);
                    BackupWriter backup = new BackupWriter(unfinished.stream());
                    KafkaCluster cluster = KafkaCluster.connect(kafka, new SimpleMeterRegistry())) {
                long now = InstantSource.system().millis();
                new PostgresTables(settings.postgres().toPostgresSettings())
                        .backUp((id, schema) -> new Origin(id, now, kafka.bucketCount(), schema), backup);
                records = new TopicsBackup(cluster.admin(), kafka, System::nanoTime).backUp(backup);
                backup.finish();
                unfinished.complete();
            }
            Console.print(
                    "Wrote " + file + ": the tables of PostgreSQL and " + records + " records of the compacted topics");
        } catch (IOException e) {
            throw new StartupException(
                    file + " cannot be written (" + e + "): name a file on a disk with free space", e);
        }
    }

    private static void restore(Path file, List<String> arguments) {
        BackupReader backup = BackupReader.open(file);
        TopicsRestore.requireReadable(backup::read);
        Origin origin = backup.origin();
        try (StoresOfCommand stores = StoresOfCommand.open(arguments, false, STORES)) {
            HeddleSettings settings = stores.settings();
            KafkaSettings kafka = settings.kafka().toKafkaSettings(settings.buckets());
            if (origin.buckets() != kafka.bucketCount()) {
                throw new StartupException(
                        "the cluster of the backup has " + origin.buckets() + " buckets, and heddle.buckets.count is "
                                + kafka.bucketCount() + ": set heddle.buckets.count to " + origin.buckets(),
                        null);
            }
            try (KafkaCluster cluster = KafkaCluster.open(kafka, new SimpleMeterRegistry())) {
                TopicsRestore topics = new TopicsRestore(cluster.admin(), kafka);
                topics.requireNoLivingNode(settings.cluster().lease(), InstantSource.system());
                boolean restored =
                        new PostgresTables(settings.postgres().toPostgresSettings()).restore(origin, backup::read);
                Console.print("PostgreSQL: " + (restored ? "restored" : "unchanged, it has the data of this cluster"));
                Map<String, Long> records = topics.restore(backup::read);
                for (String topic : TopicsBackup.TOPICS) {
                    Long count = records.get(topic);
                    Console.print(
                            topic + ": " + (count == null ? "unchanged, it has records" : count + " records restored"));
                }
            }
        }
    }
}
