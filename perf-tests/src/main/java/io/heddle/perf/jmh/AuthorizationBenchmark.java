package io.heddle.perf.jmh;

import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.CompiledRules;
import io.heddle.core.authorization.Effect;
import io.heddle.core.authorization.Rule;
import io.heddle.core.authorization.RuleOptions;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSubject;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.authorization.SubscriptionDecision;
import io.heddle.core.authorization.decision.ClientRules;
import io.heddle.core.authorization.decision.LoopDecisions;
import io.heddle.core.authorization.decision.RecentDecisions;
import io.heddle.core.client.ClientId;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The decisions of a client's rules. A quarter of the rules has a placeholder; they are for everyone, a group and a user. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"
        })
@State(Scope.Thread)
public class AuthorizationBenchmark {
    private static final int TOPICS = 1 << 10;
    private static final String[] SHAPES = {
        "allow publish plant/%d/+/temperature",
        "deny all plant/%d/secret/#",
        "allow subscribe +/%d/state",
        "allow all devices/${clientId}/%d/#"
    };
    private static final String[] SELECTORS = {"everyone", "everyone", "group fitters", "user alice"};

    /** The number of rules; the last one is for topics of the client. */
    @Param({"1", "100", "10000"})
    private int rules;

    private final RuleSubject subject = new RuleSubject(
            new ClientId("pump-1"),
            "alice",
            Map.of(),
            Set.of("fitters"),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    private final TopicName[] topics = new TopicName[TOPICS];
    private final TopicName[] deniedTopics = new TopicName[TOPICS];
    private final TopicName own = SampleData.parse("devices/pump-1/temperature");
    private final TopicName denied = SampleData.parse("devices/pump-2/temperature");
    private final TopicFilter ownFilter = TopicFilter.parse("devices/pump-1/+/set", 64);
    private final TopicFilter wideFilter = TopicFilter.parse("devices/pump-1/#", 64);
    private RuleSet set = RuleSet.NONE;
    private CompiledRules compiled = RuleSet.NONE.forClient(subject);
    private final LoopDecisions decisions = new RecentDecisions(
                    List.of(InlineEventLoop.own()), new SteadyClock(Instant::now, System::nanoTime))
            .of(InlineEventLoop.own());
    private ClientRules client = new ClientRules(new ActiveRules(RuleSet.NONE), subject, decisions);
    private int next;

    /** Creates the rules and topics, and checks decisions. */
    @Setup
    public void create() throws RuleSyntaxException {
        List<Rule> all = new ArrayList<>();
        for (int i = 0; i < rules - 1; i++) {
            String who = SELECTORS[i / SHAPES.length % SELECTORS.length];
            all.add(Rule.parse(SHAPES[i % SHAPES.length].formatted(i) + " for " + who));
        }
        all.add(Rule.parse("allow all devices/${clientId}/# for everyone"));
        set = new RuleSet(all, RuleOptions.of(Effect.DENY));
        compiled = set.forClient(subject);
        client = new ClientRules(new ActiveRules(set), subject, decisions);
        for (int i = 0; i < TOPICS; i++) {
            int number = (i * SHAPES.length * 7 % rules) / SHAPES.length * SHAPES.length;
            deniedTopics[i] = SampleData.parse("devices/pump-2/" + i);
            topics[i] = SampleData.parse(
                    i % 2 == 0 ? "plant/" + number + "/3/temperature" : "devices/pump-1/" + (number + 3) + "/state");
        }
        boolean rightly = compiled.mayPublish(own, QoS.AT_MOST_ONCE, false)
                && !compiled.mayPublish(SampleData.parse("devices/pump-2/x"), QoS.AT_MOST_ONCE, false)
                && compiled.decideSubscription(ownFilter, QoS.AT_MOST_ONCE) == SubscriptionDecision.ALLOWED
                && compiled.decideSubscription(wideFilter, QoS.AT_MOST_ONCE) == SubscriptionDecision.ALLOWED;
        if (!rightly) {
            throw new IllegalStateException("the rules decide otherwise");
        }
    }

    /** A client that publishes to one topic. */
    @Benchmark
    public boolean publish() {
        return compiled.mayPublish(own, QoS.AT_LEAST_ONCE, false);
    }

    /** A client that publishes to 1,024 topics, which different rules allow, or the default denies. */
    @Benchmark
    public boolean publishToMany() {
        return compiled.mayPublish(topics[next++ & (TOPICS - 1)], QoS.AT_LEAST_ONCE, false);
    }

    /** A connected client that publishes to one topic, with samples of its decisions. */
    @Benchmark
    public boolean publishConnected() {
        return client.mayPublish(own, QoS.AT_LEAST_ONCE, false);
    }

    /** A connected client that publishes to one topic, which the default denies, with samples of the decisions. */
    @Benchmark
    public boolean publishDenied() {
        return client.mayPublish(denied, QoS.AT_LEAST_ONCE, false);
    }

    /** The same to 1,024 topics, more than the samples of a client. */
    @Benchmark
    public boolean publishDeniedToMany() {
        return client.mayPublish(deniedTopics[next++ & (TOPICS - 1)], QoS.AT_LEAST_ONCE, false);
    }

    /** A filter with a wildcard for one level. */
    @Benchmark
    public boolean subscribe() {
        return compiled.decideSubscription(ownFilter, QoS.AT_LEAST_ONCE) == SubscriptionDecision.ALLOWED;
    }

    /** A filter that ends with {@code #}. */
    @Benchmark
    public boolean subscribeToAll() {
        return compiled.decideSubscription(wideFilter, QoS.AT_LEAST_ONCE) == SubscriptionDecision.ALLOWED;
    }

    /** The rules of a client that connects. */
    @Benchmark
    public CompiledRules forClient() {
        return set.forClient(subject);
    }
}
