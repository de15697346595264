package io.heddle.standalone;

import io.heddle.standalone.directory.DataDirectory;
import io.heddle.standalone.directory.PrivateFiles;
import io.heddle.standalone.process.GuardedProcess;
import io.heddle.standalone.process.LeftoverProcesses;
import io.heddle.standalone.process.ProcessIdentity;
import io.heddle.standalone.process.ShortCommand;
import io.heddle.standalone.process.UnprivilegedUser;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** PostgreSQL with one database and one user, who authenticates with SCRAM over loopback. */
final class PostgresProcess implements ServerNode {
    static final String USER = "heddle";
    static final String DATABASE = "heddle";

    private static final Logger LOG = LoggerFactory.getLogger(PostgresProcess.class);
    private static final int PROTOCOL_3_0 = 3 << 16;
    private static final byte AUTHENTICATION_REQUEST = 'R';

    private final int port;
    private final String password;
    private final Path programs;
    private final DataDirectory data;
    private final Tuning tuning;

    /** @param programs the folder of PostgreSQL's executables */
    PostgresProcess(int port, String password, Path programs, DataDirectory data, Tuning tuning) {
        this.port = port;
        this.password = password;
        this.programs = programs;
        this.data = data;
        this.tuning = tuning;
    }

    @Override
    public Server server() {
        return Server.POSTGRESQL;
    }

    @Override
    public int index() {
        return 0;
    }

    @Override
    public GuardedProcess.Launch prepare() throws IOException, InterruptedException {
        Path directory = data.directory(server().label());
        Path files = data.database();
        UnprivilegedUser user = UnprivilegedUser.detect(data.path());
        if (!Files.exists(files)) {
            initialize(directory, files, user);
        }
        user.own(directory);
        clearPidFile(files);

        List<String> command = new ArrayList<>(user.prefix());
        command.addAll(List.of(programs.resolve("postgres").toString(), "-D", files.toString()));
        settings().forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        // INT is its "fast" shutdown; TERM would wait until all clients disconnect.
        return new GuardedProcess.Launch(name(), command, directory, environment(), "INT");
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(Map.of(
                "listen_addresses", "127.0.0.1",
                "port", Integer.toString(port),
                "unix_socket_directories", "",
                "max_connections", "100",
                "log_min_messages", "warning",
                "dynamic_shared_memory_type", "mmap"));
        if (tuning != Tuning.SERVING) {
            // Without fsync, a killed process loses no data; only a power failure would.
            settings.putAll(Map.of("fsync", "off", "full_page_writes", "off", "shared_buffers", "16MB"));
        }
        return settings;
    }

    /** Initializes under another name and renames at the end, so that an interrupted initialization is repeated. */
    private void initialize(Path directory, Path files, UnprivilegedUser user)
            throws IOException, InterruptedException {
        Path unfinished = directory.resolve("data.unfinished");
        Binaries.deleteTree(unfinished);
        Path passwordFile = directory.resolve("password");
        PrivateFiles.write(passwordFile, password + "\n");
        user.own(directory);
        List<String> initdb = new ArrayList<>(user.prefix());
        initdb.addAll(List.of(
                programs.resolve("initdb").toString(),
                "--pgdata=" + unfinished,
                "--username=" + USER,
                "--pwfile=" + passwordFile,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--no-instructions"));
        if (tuning != Tuning.SERVING) {
            initdb.add("--no-sync");
        }
        require(ShortCommand.run(initdb, directory, environment(), ""), "initdb");
        Files.delete(passwordFile);
        List<String> single = new ArrayList<>(user.prefix());
        single.addAll(List.of(programs.resolve("postgres").toString(), "--single", "-D", unfinished.toString()));
        if (tuning != Tuning.SERVING) {
            single.addAll(List.of("-c", "fsync=off"));
        }
        single.add("postgres");
        require(
                ShortCommand.run(single, directory, environment(), "CREATE DATABASE " + DATABASE + ";\n"),
                "creating the database");
        Files.move(unfinished, files, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void require(ShortCommand.Result result, String step) throws IOException {
        if (result.status() != 0 || result.output().contains("ERROR:")) {
            throw new IOException(step + " failed with status " + result.status() + ": "
                    + result.output().strip());
        }
    }

    /**
     * Deletes the pid file of a crashed server: PostgreSQL refuses to start if the old pid now belongs to another program. A server that is
     * still running on the same data is stopped first.
     */
    private static void clearPidFile(Path files) throws IOException, InterruptedException {
        Path file = files.resolve("postmaster.pid");
        if (!Files.exists(file)) {
            return;
        }
        List<String> lines = Files.readAllLines(file);
        String pid = lines.isEmpty() ? "" : lines.getFirst().strip();
        ProcessIdentity process = pid.matches("\\d{1,9}") ? ProcessIdentity.of(Long.parseLong(pid)) : null;
        if (process != null && runsOn(files, process)) {
            LOG.warn("PostgreSQL of an earlier broker is still running; stopping it: pid={}", pid);
            LeftoverProcesses.terminate(process, "INT", GuardedProcess.STOP_TIMEOUT);
        }
        if (process != null) {
            Files.deleteIfExists(file);
        }
        // PostgreSQL handles an unused pid itself and also looks for its old shared memory.
    }

    private static boolean runsOn(Path files, ProcessIdentity process) throws IOException {
        String command = Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        return List.of(command.split("\0", -1)).contains(files.toString());
    }

    /** Removes variables that would change the behaviour of PostgreSQL, and sets the language of its messages. */
    private static Map<String, String> environment() {
        Map<String, String> environment = new TreeMap<>();
        for (String name : System.getenv().keySet()) {
            if (name.startsWith("PG")) {
                environment.put(name, "");
            }
        }
        environment.put("LC_ALL", "C");
        return environment;
    }

    @Override
    public boolean isReady(Duration timeout) {
        try (Socket socket = Loopback.connect(port, timeout)) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.write(startupMessage());
            // During recovery it answers with an error; when it accepts clients, it requests authentication.
            return new DataInputStream(socket.getInputStream()).readByte() == AUTHENTICATION_REQUEST;
        } catch (IOException notYet) {
            return false;
        }
    }

    static byte[] startupMessage() {
        byte[] parameters = ("user\0" + USER + "\0database\0" + DATABASE + "\0\0").getBytes(StandardCharsets.US_ASCII);
        int length = Integer.BYTES + Integer.BYTES + parameters.length;
        return ByteBuffer.allocate(length)
                .putInt(length)
                .putInt(PROTOCOL_3_0)
                .put(parameters)
                .array();
    }
}
