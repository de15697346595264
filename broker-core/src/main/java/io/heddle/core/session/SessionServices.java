package io.heddle.core.session;

import io.heddle.core.authentication.blocked.BlockedClients;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.publish.PublishService;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.quota.UsedRates;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.retained.RetainedReads;
import io.heddle.core.session.inbound.InboundServices;
import io.heddle.core.session.outbound.OutboundServices;
import io.heddle.core.session.outbound.SessionMetrics;
import io.heddle.core.session.outbound.SharedRedelivery;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.Wills;
import io.heddle.core.session.queue.SessionFeeds;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.subscribe.RetainedServices;
import io.heddle.core.session.subscribe.SubscribeService;
import io.heddle.core.sys.SysTopics;

/** The parts of a node that its connected sessions use, and the selections that the packages below receive. All are thread-safe. */
public final class SessionServices {
    private final BlockedClients blocked;
    private final SubscribeService subscribeService;
    private final PersistentSessions persistent;
    private final SysTopics sys;
    private final Wills wills;
    private final SessionFeeds feeds;
    private final MemoryBudget memory;
    private final SteadyClock clock;
    private final SessionSettings settings;
    private final SessionMetrics metrics;
    private final OutboundServices outbound;
    private final RetainedServices retained;
    private final InboundServices inbound;
    private final Registrar registrar;
    private final ConnectAnswers answers;
    private final Disconnections disconnections = new Disconnections();

    /** The parts of one node. */
    public SessionServices(
            BlockedClients blocked,
            SubscribeService subscribeService,
            PublishService publishService,
            RetainedMessages retainedMessages,
            RetainedReads retainedReads,
            SysTopics sys,
            MessageLog log,
            PersistentSessions persistent,
            Wills wills,
            Registrar registrar,
            SessionFeeds feeds,
            RoutingLease lease,
            MemoryBudget memory,
            SteadyClock clock,
            SessionSettings settings,
            SessionMetrics metrics) {
        this.blocked = blocked;
        this.subscribeService = subscribeService;
        this.persistent = persistent;
        this.sys = sys;
        this.wills = wills;
        this.feeds = feeds;
        this.memory = memory;
        this.clock = clock;
        this.settings = settings;
        this.metrics = metrics;
        this.outbound = new OutboundServices(
                settings.queue(),
                settings.maximumInFlight(),
                new SharedRedelivery(publishService, metrics),
                memory,
                clock,
                metrics);
        this.retained = new RetainedServices(
                retainedMessages,
                sys,
                retainedReads,
                subscribeService.admission(),
                log,
                feeds.positions(),
                settings.queue().maximumMessages(),
                metrics);
        this.inbound = new InboundServices(
                publishService,
                log,
                feeds.positions(),
                lease,
                memory,
                clock,
                settings.inbound(),
                new UsedRates(),
                metrics);
        this.registrar = registrar;
        this.answers = new ConnectAnswers(metrics);
    }

    BlockedClients blocked() {
        return blocked;
    }

    SubscribeService subscribeService() {
        return subscribeService;
    }

    PersistentSessions persistent() {
        return persistent;
    }

    SysTopics sys() {
        return sys;
    }

    Wills wills() {
        return wills;
    }

    SessionFeeds feeds() {
        return feeds;
    }

    MemoryBudget memory() {
        return memory;
    }

    SteadyClock clock() {
        return clock;
    }

    SessionSettings settings() {
        return settings;
    }

    SessionMetrics metrics() {
        return metrics;
    }

    OutboundServices outbound() {
        return outbound;
    }

    RetainedServices retained() {
        return retained;
    }

    InboundServices inbound() {
        return inbound;
    }

    Registrar registrar() {
        return registrar;
    }

    /** Remembers and logs the end of a connection. */
    void disconnected(ConnectedClient client, DisconnectCause cause) {
        disconnections.add(new Disconnection(client, cause, clock.millis()));
        ClientIdentity identity = client.identity();
        metrics.incidents().disconnected(identity, client.address(), client.listener(), cause);
        metrics.incidents().events().ended(identity.clientId().value(), identity.userName(), client.address(), cause);
    }

    Disconnections disconnections() {
        return disconnections;
    }

    ConnectAnswers answers() {
        return answers;
    }
}
