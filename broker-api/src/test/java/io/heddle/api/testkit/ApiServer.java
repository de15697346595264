package io.heddle.api.testkit;

import static java.util.Objects.requireNonNull;

import io.heddle.api.config.ApiConfiguration;
import io.heddle.api.message.MessageLimits;
import io.heddle.api.server.HttpLimits;
import io.heddle.api.server.ProbePort;
import io.heddle.api.server.TrustedProxies;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AdminSessions;
import io.heddle.core.administration.AdminUsers;
import io.heddle.core.administration.ApiKeys;
import io.heddle.core.administration.AuditLog;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import io.heddle.core.authentication.csv.HashFormat;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.ListenerMethods;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.lifecycle.Broker;
import io.heddle.core.lifecycle.ClusterNode;
import io.heddle.core.lifecycle.ClusterRole;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.lifecycle.NodeStatus;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.lifecycle.StateChecksums;
import io.heddle.core.link.NoLinks;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.node.operation.CertificateStatus;
import io.heddle.core.node.operation.EffectiveSetting;
import io.heddle.core.node.operation.EffectiveSettings;
import io.heddle.core.node.operation.RebalancePlan;
import io.heddle.core.node.operation.Steadiness;
import io.heddle.core.operator.alert.ClusterAlerts;
import io.heddle.core.operator.bucket.BucketStates;
import io.heddle.core.operator.client.Clients;
import io.heddle.core.operator.explain.DeliveryExplanation;
import io.heddle.core.operator.history.ClusterHistory;
import io.heddle.core.operator.ledger.ClusterLedger;
import io.heddle.core.operator.message.MessageAdministration;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.refusal.RefusalPage;
import io.heddle.core.operator.refusal.RefusalQuery;
import io.heddle.core.operator.rule.RuleAdministration;
import io.heddle.core.operator.rule.RuleReplica;
import io.heddle.core.operator.store.HangingTransactions;
import io.heddle.core.operator.store.LogServers;
import io.heddle.core.operator.store.QueueServers;
import io.heddle.core.operator.top.SlowClients;
import io.heddle.core.operator.top.Top;
import io.heddle.core.operator.top.TopicTree;
import io.heddle.core.operator.trace.ClusterTrace;
import io.heddle.core.operator.trace.RunningTrace;
import io.heddle.core.operator.trace.TraceRequest;
import io.heddle.core.operator.trace.Tracer;
import io.heddle.core.sys.history.Range;
import io.heddle.core.testkit.CountingPasswordHash;
import io.heddle.core.testkit.InMemoryAdminSessions;
import io.heddle.core.testkit.InMemoryApiKeys;
import io.heddle.core.testkit.InMemoryAuditLog;
import io.heddle.core.testkit.InMemoryBlockedClientStore;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.InMemoryHangingTransactions;
import io.heddle.core.testkit.InMemoryLogServers;
import io.heddle.core.testkit.InMemoryQueueServers;
import io.heddle.core.testkit.InMemoryRuleStore;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.TestView;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** A running server on a free loopback port. */
public final class ApiServer implements AutoCloseable {
    /** Result of GET /api/v1/node. */
    public static final NodeStatus STATUS = new NodeStatus(
            "a",
            "1.2.3",
            Broker.State.READY,
            ClusterRole.Role.SERVING,
            Instant.parse("2026-11-01T10:00:00Z"),
            Duration.ofMillis(90_900),
            List.of("mqtt://127.0.0.1:1883"),
            3,
            7);

    /** Result of GET /api/v1/nodes. */
    private static final List<ClusterNode> CLUSTER = List.of(
            new ClusterNode(
                    "b",
                    "7-8badf00d",
                    "10.0.0.5",
                    ClusterRole.Role.SERVING,
                    16,
                    250,
                    "1.2.2",
                    0.25,
                    0,
                    false,
                    "10.0.0.5:7883",
                    true),
            new ClusterNode(
                    "a",
                    "9-00000001",
                    "",
                    ClusterRole.Role.TAKING_OVER,
                    0,
                    null,
                    null,
                    null,
                    2,
                    true,
                    "10.0.0.6:7883",
                    null));

    /** The settings. */
    public static final List<EffectiveSetting> SETTINGS = List.of(
            new EffectiveSetting("heddle.http.port", "8080", ""),
            new EffectiveSetting("heddle.mqtt.port", "1884", "HEDDLE_MQTT_PORT in the environment"),
            new EffectiveSetting("heddle.postgres.password", "******", "command line"));

    /** Limits of the server. */
    public static final HttpLimits LIMITS = new HttpLimits(100, 90, Duration.ofSeconds(2), Duration.ofSeconds(3));

    // Clients use addresses from 127.0.1.1 on, because other tests use 127.0.0.1.
    private static final AtomicInteger nextAddress = new AtomicInteger(256);

    private final Administrators administrators;
    private final InMemoryAdminSessions sessions;
    private final InMemoryApiKeys keys = new InMemoryApiKeys();
    private final InMemoryAuditLog auditLog = new InMemoryAuditLog();
    private final InMemoryCredentialsStore credentials = new InMemoryCredentialsStore();
    private final InMemoryBlockedClientStore blocked =
            new InMemoryBlockedClientStore(credentials.changes(), Instant::now);
    private final CountingPasswordHash passwordHash = new CountingPasswordHash();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicInteger drains = new AtomicInteger();
    private final AtomicInteger reloads = new AtomicInteger();
    private volatile @Nullable BucketStates buckets;
    private volatile @Nullable DeliveryExplanation explanation;
    private volatile BiFunction<Range, Set<String>, ClusterHistory> history =
            (range, _) -> new ClusterHistory(range, 0, Map.of(), Map.of(), List.of());
    private volatile ClusterLedger ledger = new ClusterLedger(new TreeMap<>(), List.of());
    private volatile SlowClients slowClients = new SlowClients(List.of(), List.of());
    private volatile ClusterAlerts alerts = new ClusterAlerts(List.of(), List.of());
    private volatile Top top = new Top(Map.of(), List.of());
    private final List<String> explained = new CopyOnWriteArrayList<>();
    private volatile Function<RefusalQuery, RefusalPage> refusals = _ -> new RefusalPage(List.of(), List.of());
    private volatile @Nullable StartupException wrongCertificates;
    private volatile NodeStatus status = STATUS;
    private final AtomicInteger rebalances = new AtomicInteger();
    private final StubController stub = new StubController();
    private final InMemoryHangingTransactions transactions = new InMemoryHangingTransactions();
    private final StubClients clients = new StubClients();
    private final InMemoryRuleStore ruleStore = new InMemoryRuleStore();
    private final RuleAdministration rules = rules();
    private final ClientIncidents incidents = new ClientIncidents(System::nanoTime, registry);
    private final Tracer tracer = tracer();
    private final ServletWebServerApplicationContext context;
    private volatile @Nullable MessageAdministration messages;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ApiConfiguration.class)
    static class Application {}

    private Node node() {
        return new Node() {
            @Override
            public NodeStatus status() {
                return status;
            }

            @Override
            public List<ClusterNode> cluster() {
                return CLUSTER;
            }

            @Override
            public StateChecksums checksums() {
                return new StateChecksums(1, -1, 0x0123_4567_89ab_cdefL);
            }

            @Override
            public Steadiness steadiness() {
                return new Steadiness(2, List.of("b is joining"));
            }

            @Override
            public RebalancePlan rebalance() {
                rebalances.incrementAndGet();
                return new RebalancePlan(
                        List.of(new RebalancePlan.Share("a", new Incarnation(7, 1), 250, 90)), List.of("b"));
            }

            @Override
            public List<CertificateStatus> reloadCertificates() {
                StartupException failure = wrongCertificates;
                if (failure != null) {
                    throw failure;
                }
                reloads.incrementAndGet();
                return List.of(new CertificateStatus(
                        "mqtts", "CN=a", List.of("a.example.org"), Instant.parse("2027-01-31T00:00:00Z")));
            }

            @Override
            public void drain() {
                drains.incrementAndGet();
            }

            @Override
            public boolean drain(String nodeId) {
                if (nodeId.equals("frozen")) {
                    throw new StoreUnavailableException("the node to drain has not answered", null);
                }
                boolean isMember = nodeId.equals("b");
                if (isMember) {
                    drains.incrementAndGet();
                }
                return isMember;
            }

            @Override
            public Clients clients() {
                return clients;
            }

            @Override
            public MessageAdministration messages() {
                MessageAdministration serving = messages;
                if (serving == null) {
                    throw new StoreUnavailableException("the broker does not serve", null);
                }
                return serving;
            }

            @Override
            public RuleAdministration rules() {
                return rules;
            }

            @Override
            public BucketStates buckets() {
                BucketStates known = buckets;
                if (known == null) {
                    throw new StoreUnavailableException("the broker does not serve", null);
                }
                return known;
            }

            @Override
            public RefusalPage refusals(RefusalQuery query) {
                return refusals.apply(query);
            }

            @Override
            public DeliveryExplanation explain(
                    ClientId clientId, TopicName topic, QoS published, @Nullable Instant since) {
                explained.add(clientId + " " + topic + " " + published + (since == null ? "" : " " + since));
                DeliveryExplanation known = explanation;
                if (known == null) {
                    throw new StoreUnavailableException("the broker does not serve", null);
                }
                return known;
            }

            @Override
            public Top top() {
                return top;
            }

            @Override
            public TopicTree topics(int limit) {
                return TopicTree.of(top, limit);
            }

            @Override
            public SlowClients slowClients(int limit) {
                return slowClients;
            }

            @Override
            public ClusterHistory history(Range range, Set<String> figures) {
                return history.apply(range, figures);
            }

            @Override
            public ClusterLedger ledger() {
                return ledger;
            }

            @Override
            public ClusterAlerts alerts() {
                return alerts;
            }

            @Override
            public ClusterTrace trace(TraceRequest request) {
                return tracer.begin(request);
            }

            @Override
            public List<RunningTrace> traces() {
                return tracer.running();
            }

            @Override
            public void endTrace(UUID id, String administrator) {
                tracer.end(id, administrator);
            }
        };
    }

    /** Traces the clients of a node that is alone. */
    private Tracer tracer() {
        TestView log = new TestView(1);
        NodeQuestions questions = new NodeQuestions(new NoLinks(), new ManualEventLoop(0), Runnable::run, registry);
        questions.onJoined(log.serve("a"), log.view());
        Tracer created = new Tracer(questions, new SteadyClock(InstantSource.system(), System::nanoTime));
        created.answer(incidents.events(), registry);
        return created;
    }

    /** Returns what traces show. */
    public ClientIncidents incidents() {
        return incidents;
    }

    /** Returns the number of traces that run. */
    public double traces() {
        return requireNonNull(registry.find("heddle.traces.active").gauge()).value();
    }

    /** A node that is alone, and applies each change at once. */
    private RuleAdministration rules() {
        TestView log = new TestView(1);
        NodeQuestions questions = new NodeQuestions(new NoLinks(), new ManualEventLoop(0), Runnable::run, registry);
        questions.onJoined(log.serve("a"), log.view());
        ActiveRules active = new ActiveRules(RuleSet.NONE);
        RuleReplica replica = new RuleReplica(active, ruleStore, Runnable::run, Runnable::run, registry);
        RuleAdministration administration = new RuleAdministration(
                active,
                ruleStore,
                replica,
                (version, text) -> {
                    replica.onRecord(new NodeRecord.RulesChanged(new Incarnation(0, 0), version, text));
                    return CompletableFuture.completedStage(null);
                },
                questions,
                new ListenerMethods(Set.of("password"), Set.of("mqtt")));
        administration.answer();
        return administration;
    }

    /** Returns the store of the rules. */
    public InMemoryRuleStore ruleStore() {
        return ruleStore;
    }

    /** Sets what the nodes have refused. */
    public void setRefusals(Function<RefusalQuery, RefusalPage> found) {
        refusals = found;
    }

    /** Sets the answer of GET /api/v1/explain. */
    public void setExplanation(DeliveryExplanation answer) {
        explanation = answer;
    }

    /** Sets the answers of GET /api/v1/history. */
    public void setHistory(BiFunction<Range, Set<String>, ClusterHistory> answers) {
        history = answers;
    }

    /** Sets the answer of GET /api/v1/ledger. */
    public void setLedger(ClusterLedger answer) {
        ledger = answer;
    }

    /** Sets the answer of GET /api/v1/slow-clients. */
    public void setSlowClients(SlowClients answer) {
        slowClients = answer;
    }

    /** Sets the answer of GET /api/v1/alerts. */
    public void setAlerts(ClusterAlerts answer) {
        alerts = answer;
    }

    /** Sets the answer of GET /api/v1/top, from which that of GET /api/v1/top/topics is made. */
    public void setTop(Top answer) {
        top = answer;
    }

    /** Returns what was explained: client id, topic and QoS. */
    public List<String> explained() {
        return explained;
    }

    /** Sets the buckets of the cluster. */
    public void setBuckets(BucketStates states) {
        buckets = states;
    }

    /** Lets the node serve. */
    public void serve(MessageAdministration serving) {
        messages = serving;
    }

    /** Starts the server with settings in the form {@code --key=value}. */
    public ApiServer(String... settings) {
        this(LIMITS, settings);
    }

    /** Starts the server with other limits, and settings in the form {@code --key=value}. */
    public ApiServer(HttpLimits limits, String... settings) {
        this(limits, new Administrators(), new InMemoryAdminSessions(), settings);
    }

    /** Starts a server of another node, which shares administrators and their sessions. */
    public ApiServer another() {
        return new ApiServer(LIMITS, administrators, sessions);
    }

    private ApiServer(
            HttpLimits limits, Administrators administrators, InMemoryAdminSessions sessions, String... settings) {
        this.administrators = administrators;
        this.sessions = sessions;
        SpringApplication application = new SpringApplication(Application.class);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "server.address", "127.0.0.1",
                "spring.threads.virtual.enabled", "true",
                "spring.main.banner-mode", "off",
                "logging.level.root", "warn",
                "management.endpoints.web.exposure.include", "*",
                "management.endpoint.health.probes.enabled", "true",
                "spring.mvc.formcontent.filter.enabled", "false",
                "spring.security.filter.dispatcher-types", "request, async, forward, include"));
        ApplicationContextInitializer<GenericApplicationContext> beans = target -> {
            target.registerBean(AdminUsers.class, () -> administrators);
            target.registerBean(AdminSessions.class, () -> sessions);
            target.registerBean(ApiKeys.class, () -> keys);
            target.registerBean(AuditLog.class, () -> auditLog);
            target.registerBean(CredentialsStore.class, () -> credentials);
            target.registerBean(BlockedClientStore.class, () -> blocked);
            target.registerBean(HashFormat.class, () -> text -> text.startsWith("$argon2id$"));
            target.registerBean(EffectiveSettings.class, () -> () -> SETTINGS);
            target.registerBean(PasswordHash.class, () -> passwordHash);
            target.registerBean(MeterRegistry.class, () -> registry);
            target.registerBean(Node.class, this::node);
            target.registerBean(HttpLimits.class, () -> limits);
            target.registerBean(
                    TrustedProxies.class,
                    () -> new TrustedProxies(List.of("127.9.9.8", "127.9.9.9", "2001:db8:9::9", "2001:db8:a::/48")));
            target.registerBean(ProbePort.class, () -> new ProbePort(InetAddress.getLoopbackAddress(), 0, registry));
            target.registerBean(LogServers.class, InMemoryLogServers::new);
            target.registerBean(QueueServers.class, InMemoryQueueServers::new);
            target.registerBean(HangingTransactions.class, () -> transactions);
            target.registerBean(MessageLimits.class, () -> new MessageLimits(65_536, 512, 8, 4, TopicRules.STANDARD));
            target.registerBean(StubController.class, () -> stub);
        };
        application.addInitializers(beans);
        this.context = (ServletWebServerApplicationContext) application.run(settings);
    }

    /** Changes the role of the node, whose broker stays ready. */
    public void setRole(ClusterRole.Role role) {
        status = status(role, status.listeners());
    }

    /** Changes the open listeners of the node. */
    public void setListeners(String... uris) {
        status = status(status.role(), List.of(uris));
    }

    private static NodeStatus status(ClusterRole.Role role, List<String> listeners) {
        return new NodeStatus(
                STATUS.nodeId(),
                STATUS.version(),
                STATUS.state(),
                role,
                STATUS.startedAt(),
                STATUS.uptime(),
                listeners,
                STATUS.connectedClients(),
                STATUS.subscriptions());
    }

    /** Lets reloads of certificates fail from now on. */
    public void failReloads(String sentence) {
        wrongCertificates = new StartupException(sentence, null);
    }

    /** Returns how often the node has reloaded its certificates. */
    public int reloads() {
        return reloads.get();
    }

    /** Returns how often the node was told to drain. */
    public int drains() {
        return drains.get();
    }

    /** Returns how often the node was told to rebalance. */
    public int rebalances() {
        return rebalances.get();
    }

    public Administrators administrators() {
        return administrators;
    }

    public InMemoryAdminSessions sessions() {
        return sessions;
    }

    public InMemoryApiKeys keys() {
        return keys;
    }

    public InMemoryAuditLog auditLog() {
        return auditLog;
    }

    public InMemoryCredentialsStore credentials() {
        return credentials;
    }

    public InMemoryBlockedClientStore blocked() {
        return blocked;
    }

    public CountingPasswordHash passwordHash() {
        return passwordHash;
    }

    public MeterRegistry registry() {
        return registry;
    }

    public StubClients clients() {
        return clients;
    }

    public InMemoryHangingTransactions transactions() {
        return transactions;
    }

    public StubController stub() {
        return stub;
    }

    /** Returns the methods of all controllers with the requests that they answer. */
    public Map<RequestMappingInfo, HandlerMethod> mappings() {
        return context.getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods();
    }

    public int port() {
        return requireNonNull(context.getWebServer()).getPort();
    }

    /** Returns the port for probes. */
    public int probePort() {
        return context.getBean(ProbePort.class).port();
    }

    /** Creates a client with a loopback address that no other client uses. */
    public ApiClient client() {
        int address = nextAddress.incrementAndGet();
        return new ApiClient(port(), new byte[] {127, 0, (byte) (address >> 8), (byte) address});
    }

    /** Creates a client with the address of a trusted proxy. */
    public ApiClient proxy() {
        return new ApiClient(port(), new byte[] {127, 9, 9, 9});
    }

    @Override
    public void close() {
        context.close();
    }
}
