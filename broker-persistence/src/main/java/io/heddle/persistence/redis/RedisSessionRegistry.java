package io.heddle.persistence.redis;

import static io.heddle.persistence.redis.RedisDeviceQueues.all;
import static io.heddle.persistence.redis.RedisDeviceQueues.bytes;
import static io.heddle.persistence.redis.RedisDeviceQueues.decimal;
import static io.heddle.persistence.redis.RedisDeviceQueues.number;
import static io.heddle.persistence.redis.RedisDeviceQueues.parts;
import static io.heddle.persistence.redis.RedisDeviceQueues.text;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.persistence.record.RecordReader;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/** The registrations of persistent sessions with nodes, in Redis next to the sessions' queues. Thread-safe, never blocks. */
public final class RedisSessionRegistry implements SessionRegistry {
    private final RedisKeys keys;
    private final RedisScripts scripts;
    private final byte[] log;

    public RedisSessionRegistry(RedisBuckets buckets) {
        this.keys = buckets.keys();
        this.scripts = buckets.scripts();
        this.log = buckets.log();
    }

    @Override
    public CompletionStage<Registration> connect(
            int bucket, ClientId clientId, long generation, long previousEpoch, long epoch, String owner) {
        return scripts.run(
                LuaScript.CONNECT,
                keys.bucket(bucket),
                List.of(
                        log,
                        RedisDeviceQueues.newViewId(),
                        bytes(clientId.value()),
                        decimal(generation),
                        decimal(previousEpoch),
                        decimal(epoch),
                        bytes(owner)),
                RedisSessionRegistry::registration);
    }

    private static Registration registration(List<?> answer) {
        SortedMap<Integer, MessageName> inbound = new TreeMap<>();
        List<?> fields = (List<?>) answer.get(7);
        for (int i = 0; i < fields.size(); i += 2) {
            byte[] name = (byte[]) fields.get(i + 1);
            inbound.put(
                    Integer.valueOf(text((byte[]) fields.get(i))),
                    MessageName.read(new RecordReader(name, () -> "a message name in Redis")));
        }
        return new Registration(
                number(answer.get(0)),
                number(answer.get(1)),
                text((byte[]) answer.get(2)),
                number(answer.get(3)),
                number(answer.get(4)),
                number(answer.get(5)),
                number(answer.get(6)),
                inbound,
                RedisDeviceQueues.numbers((List<?>) answer.get(8)),
                RedisDeviceQueues.position(answer, 9));
    }

    @Override
    public CompletionStage<Void> disconnect(int bucket, ClientId clientId, long epoch, long sentUpTo) {
        return scripts.perform(
                LuaScript.DISCONNECT,
                keys.bucket(bucket),
                List.of(bytes(clientId.value()), decimal(epoch), decimal(sentUpTo)));
    }

    @Override
    public CompletionStage<Integer> end(int bucket, ClientId clientId, long generation) {
        return scripts.run(
                LuaScript.END, keys.bucket(bucket), List.of(bytes(clientId.value()), decimal(generation)), answer ->
                        (int) number(answer.get(0)));
    }

    @Override
    public CompletionStage<Void> restore(int bucket, List<Known> sessions) {
        List<CompletionStage<Void>> calls = new ArrayList<>();
        for (List<Known> part : parts(sessions)) {
            List<byte[]> arguments = new ArrayList<>();
            for (Known session : part) {
                arguments.add(bytes(session.clientId().value()));
                arguments.add(decimal(session.generation()));
                arguments.add(decimal(session.epoch()));
                arguments.add(bytes(session.owner()));
            }
            calls.add(scripts.perform(LuaScript.RESTORE, keys.bucket(bucket), arguments));
        }
        return all(calls);
    }
}
