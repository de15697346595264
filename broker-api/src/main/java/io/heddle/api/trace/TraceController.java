package io.heddle.api.trace;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.message.MqttText;
import io.heddle.api.page.EntityTags;
import io.heddle.api.problem.FieldProblems;
import io.heddle.api.problem.RequestProblem;
import io.heddle.api.security.CurrentRoles;
import io.heddle.api.security.SessionCsrf;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.client.AddressRange;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.operator.trace.ClusterTrace;
import io.heddle.core.operator.trace.RunningTrace;
import io.heddle.core.operator.trace.TooManyTracesException;
import io.heddle.core.operator.trace.TraceEvent;
import io.heddle.core.operator.trace.TraceFilter;
import io.heddle.core.operator.trace.TraceRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.ServletWebRequest;
import tools.jackson.databind.json.JsonMapper;

/** Sends administrators the packets of clients while they are sent and received; lists and ends such traces. */
@RestController
public final class TraceController implements ApplicationListener<ContextClosedEvent> {
    private static final Logger log = LoggerFactory.getLogger(TraceController.class);

    /** The time after which a connection that the administrator has closed is noticed. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private final Node node;
    private final Audit audit;
    private final CurrentRoles roles;
    private final JsonMapper json;
    private final InstantSource clock = InstantSource.system();
    private volatile boolean closing;

    public TraceController(Node node, Audit audit, CurrentRoles roles, JsonMapper json) {
        this.node = node;
        this.audit = audit;
        this.roles = roles;
        this.json = json;
    }

    /** Traces end before the server waits for its requests. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        closing = true;
    }

    /**
     * Traces until the time or the number of events is reached, or the connection is closed.
     *
     * @param address an address or a network in CIDR notation
     * @param payload whether payloads are shown
     */
    @GetMapping(
            path = "/api/v1/trace",
            produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_NDJSON_VALUE})
    void trace(
            @RequestParam(required = false) @Nullable String clientId,
            @RequestParam(required = false) @Nullable String userName,
            @RequestParam(required = false) @Nullable String address,
            @RequestParam(required = false) @Nullable String topicFilter,
            @RequestParam(defaultValue = "60") int seconds,
            @RequestParam(defaultValue = "1000") int maxEvents,
            @RequestParam(defaultValue = "false") boolean payload,
            ServletWebRequest request,
            HttpServletResponse response)
            throws IOException, HttpMediaTypeNotAcceptableException {
        FieldProblems problems = new FieldProblems();
        problems.require(
                clientId != null || userName != null || address != null || topicFilter != null,
                "clientId",
                "Give clientId, userName, address or topicFilter, or several of them.");
        TraceFilter filter = new TraceFilter(
                text(clientId, "clientId", problems),
                text(userName, "userName", problems),
                address == null ? null : address(address, problems),
                topicFilter == null ? null : filter(topicFilter, problems));
        problems.require(
                seconds >= 1 && seconds <= TraceRequest.MAXIMUM_DURATION.toSeconds(),
                "seconds",
                "Use a number from 1 to " + TraceRequest.MAXIMUM_DURATION.toSeconds() + ".");
        problems.require(
                maxEvents >= 1 && maxEvents <= TraceRequest.MAXIMUM_EVENTS,
                "maxEvents",
                "Use a number from 1 to " + TraceRequest.MAXIMUM_EVENTS + ".");
        problems.throwIfAny();
        // A trace takes one of a few places, and may be written to the audit log.
        if (SessionCsrf.isFromAnotherSite(request.getRequest())) {
            throw RequestProblem.forbidden("A page of another site has sent this request; open the console.");
        }
        if (payload && !request.isUserInRole(AdminRole.ADMIN.name())) {
            throw RequestProblem.forbidden(
                    "Payloads are shown to administrators with the role ADMIN only; leave payload out.");
        }
        EventStream stream = new EventStream(EventStream.Format.of(request), json, response);
        if (!HttpMethod.HEAD.equals(request.getHttpMethod())) {
            Principal administrator = Objects.requireNonNull(request.getUserPrincipal());
            TraceRequest wanted =
                    new TraceRequest(administrator.getName(), filter, payload, Duration.ofSeconds(seconds), maxEvents);
            follow(
                    begin(wanted, request),
                    new TracePermission(roles, administrator, payload, System::nanoTime),
                    stream);
        }
    }

    /** The traces of all administrators, the oldest first. */
    record TracesResponse(List<TraceResponse> items) {}

    /**
     * A trace that runs.
     *
     * @param administrator who has begun it, or an API key as {@code key:NAME}
     */
    record TraceResponse(
            UUID id,
            String administrator,
            Instant since,
            boolean payload,
            @Nullable String clientId,
            @Nullable String userName,
            @Nullable String address,
            @Nullable String topicFilter) {
        static TraceResponse of(RunningTrace trace, Instant now) {
            TraceFilter filter = trace.filter();
            return new TraceResponse(
                    trace.id(),
                    trace.administrator(),
                    now.minus(trace.age()).truncatedTo(ChronoUnit.MILLIS),
                    trace.hasPayloads(),
                    filter.clientId(),
                    filter.userName(),
                    filter.address() == null ? null : filter.address().toString(),
                    filter.topicFilter() == null ? null : filter.topicFilter().value());
        }
    }

    @GetMapping("/api/v1/traces")
    TracesResponse list() {
        Instant now = clock.instant();
        return new TracesResponse(
                node.traces().stream().map(each -> TraceResponse.of(each, now)).toList());
    }

    /** Ends a trace of any administrator. */
    @DeleteMapping("/api/v1/traces/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void end(@PathVariable UUID id, HttpServletRequest request) {
        EntityTags.refuseCondition(request);
        Principal administrator = Objects.requireNonNull(request.getUserPrincipal());
        TraceResponse before = list().items().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow(() -> RequestProblem.notFound("No trace with this id runs."));
        audit.change(request, AuditAction.END_TRACE, "traces/" + id, before, () -> {
            node.endTrace(id, administrator.getName());
            return Audited.nothing();
        });
    }

    private static @Nullable String text(@Nullable String text, String field, FieldProblems problems) {
        problems.require(
                text == null || MqttText.isWellFormed(text), field, "Use a text of at most 65,535 bytes of UTF-8.");
        return text;
    }

    private static @Nullable AddressRange address(String text, FieldProblems problems) {
        try {
            return AddressRange.parse(text);
        } catch (IllegalArgumentException wrong) {
            problems.add("address", "Use an address or a network such as 10.0.0.0/8 or fd00::/8.");
            return null;
        }
    }

    private static @Nullable TopicFilter filter(String text, FieldProblems problems) {
        return MqttText.filter(text, Integer.MAX_VALUE, "topicFilter", problems);
    }

    private ClusterTrace begin(TraceRequest trace, ServletWebRequest request) {
        try {
            return trace.hasPayloads()
                    ? audit.change(
                            request.getRequest(),
                            AuditAction.TRACE_PAYLOADS,
                            "trace",
                            null,
                            () -> new Audited<>(node.trace(trace), described(trace)))
                    : node.trace(trace);
        } catch (TooManyTracesException full) {
            throw RequestProblem.unavailable(full.sentence());
        }
    }

    private static Map<String, Object> described(TraceRequest trace) {
        Map<String, Object> described = new LinkedHashMap<>();
        TraceFilter filter = trace.filter();
        put(described, "clientId", filter.clientId());
        put(described, "userName", filter.userName());
        put(described, "address", filter.address());
        put(described, "topicFilter", filter.topicFilter());
        described.put("seconds", trace.limit().toSeconds());
        described.put("maxEvents", trace.maximumEvents());
        return described;
    }

    private static void put(Map<String, Object> described, String name, @Nullable Object criterion) {
        if (criterion != null) {
            described.put(name, criterion.toString());
        }
    }

    private void follow(ClusterTrace begun, TracePermission permission, EventStream stream) {
        try (ClusterTrace trace = begun) {
            long writtenNanos = System.nanoTime();
            while (!trace.isOver()) {
                if (closing) {
                    trace.stop();
                }
                String refusal = permission.refusal();
                if (refusal != null) {
                    trace.forbid(refusal);
                }
                List<TraceEvent> events = trace.next();
                if (!events.isEmpty()) {
                    stream.write(events);
                    writtenNanos = System.nanoTime();
                } else if (System.nanoTime() - writtenNanos >= SILENCE.toNanos()) {
                    stream.writeNothing();
                    writtenNanos = System.nanoTime();
                }
            }
        } catch (IOException gone) {
            log.debug("An administrator has closed the connection of a trace", gone);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
