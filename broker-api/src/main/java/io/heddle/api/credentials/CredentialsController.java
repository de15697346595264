package io.heddle.api.credentials;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.page.Cursor;
import io.heddle.api.page.EntityTags;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.api.problem.FieldProblems;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.authentication.CredentialsQuery;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.authentication.certificate.CertificatePin;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lists, creates, changes and removes credentials of MQTT clients. Only a user with the role ADMIN may change something. */
@RestController
public final class CredentialsController {
    private static final ListRules RULES = ListRules.of(
            List.of("userName", "-userName", "clientId", "-clientId"), "userNamePrefix", "clientIdPrefix", "type");
    private static final int MAXIMUM_ATTEMPTS = 5;

    private final CredentialsStore store;
    private final PasswordHash passwordHash;
    private final Audit audit;
    private final EntityTags tags;

    /** @param passwordHash that of administrators, so that their requests do not wait for clients */
    public CredentialsController(CredentialsStore store, PasswordHash passwordHash, Audit audit, EntityTags tags) {
        this.store = store;
        this.passwordHash = passwordHash;
        this.audit = audit;
        this.tags = tags;
    }

    /** Lists credentials by user name, or those that name a client id by client id. A prefix goes with the order of its name. */
    @GetMapping("/api/v1/credentials")
    Page<CredentialsResponse> list(HttpServletRequest request) {
        ListRequest list = RULES.parse(request.getParameterMap());
        boolean isByUser = list.sort().key().equals("userName");
        String unusable = isByUser ? "clientIdPrefix" : "userNamePrefix";
        if (list.text(unusable) != null) {
            throw RequestProblem.invalid(
                    unusable, "Sort by the same name: sort=" + (isByUser ? "clientId" : "userName") + ".");
        }
        CredentialsQuery query = new CredentialsQuery(
                isByUser ? CredentialsQuery.Order.USER_NAME : CredentialsQuery.Order.CLIENT_ID,
                list.sort().isDescending(),
                list.text(isByUser ? "userNamePrefix" : "clientIdPrefix"),
                list.choice("type", ClientType.class),
                after(list),
                list.limit() + 1);
        return Page.of(
                store.page(query),
                list.limit(),
                CredentialsResponse::of,
                last -> list.next(
                        last.clientId() == null ? null : last.clientId().value(), last.userName()));
    }

    private static CredentialsQuery.@Nullable Names after(ListRequest list) {
        List<@Nullable String> key = list.after(2);
        if (key == null) {
            return null;
        }
        CredentialsQuery.Names names = new CredentialsQuery.Names(key.getFirst(), key.getLast());
        boolean isByUser = list.sort().key().equals("userName");
        if (names.clientId() == null && (names.userName() == null || !isByUser)) {
            throw Cursor.bad();
        }
        return names;
    }

    @GetMapping("/api/v1/credentials/{id}")
    ResponseEntity<CredentialsResponse> get(@PathVariable UUID id) {
        return ok(find(id));
    }

    /** Creates credentials; 409 if others have the same names. */
    @PostMapping("/api/v1/credentials")
    ResponseEntity<CredentialsResponse> create(@RequestBody CredentialsBody body, HttpServletRequest request) {
        FieldProblems problems = new FieldProblems();
        CredentialsCheck.checkNames(body.clientId(), body.userName(), problems);
        CertificatePin pin = CredentialsCheck.certificate(body, problems);
        if (body.certificate() == null) {
            CredentialsCheck.checkPassword(body.password(), problems);
        }
        CredentialsCheck.checkScram(body, problems);
        ClientType type = CredentialsCheck.type(body.type(), problems);
        List<String> groups = CredentialsCheck.groups(body.groups(), problems);
        problems.throwIfAny();
        UUID id = UUID.randomUUID();
        StoredCredentials created = audit.change(request, AuditAction.CREATE_CREDENTIALS, target(id), null, () -> {
            StoredCredentials credentials =
                    new StoredCredentials(id, clientId(body), body.userName(), type, groups, proof(body, pin), null);
            if (!store.create(credentials)) {
                throw namesTaken();
            }
            return new Audited<>(credentials, CredentialsResponse.of(credentials));
        });
        CredentialsResponse shown = CredentialsResponse.of(created);
        return ResponseEntity.created(URI.create("/api/v1/credentials/" + id))
                .eTag(tags.of(shown, created.passwordHash()))
                .body(shown);
    }

    /** Replaces names and type, and groups and password if the body has them; the clients of these credentials are disconnected. */
    @PutMapping("/api/v1/credentials/{id}")
    ResponseEntity<CredentialsResponse> replace(
            @PathVariable UUID id, @RequestBody CredentialsBody body, HttpServletRequest request) {
        FieldProblems problems = new FieldProblems();
        CredentialsCheck.checkNames(body.clientId(), body.userName(), problems);
        CertificatePin pin = CredentialsCheck.certificate(body, problems);
        if (body.password() != null) {
            CredentialsCheck.checkPassword(body.password(), problems);
        }
        CredentialsCheck.checkScram(body, problems);
        problems.require(body.type() != null, "type", "Use DEVICE or APPLICATION.");
        ClientType type = CredentialsCheck.type(body.type(), problems);
        List<String> groups = CredentialsCheck.groups(body.groups(), problems);
        problems.throwIfAny();
        return ok(update(
                request,
                AuditAction.CHANGE_CREDENTIALS,
                id,
                body.password() == null && pin == null ? null : _ -> proof(body, pin),
                before -> {
                    if (pin == null && body.password() == null) {
                        CredentialsCheck.checkKept(before.passwordHash(), body.userName());
                    }
                    return new StoredCredentials(
                            id,
                            clientId(body),
                            body.userName(),
                            type,
                            body.groups() == null ? before.groups() : groups,
                            before.passwordHash(),
                            null);
                }));
    }

    /** Changes the password, and keeps the form in which it is stored; the clients of these credentials are disconnected. */
    @PutMapping("/api/v1/credentials/{id}/password")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void changePassword(@PathVariable UUID id, @RequestBody PasswordBody body, HttpServletRequest request) {
        FieldProblems problems = new FieldProblems();
        CredentialsCheck.checkPassword(body.password(), problems);
        problems.throwIfAny();
        String password = Objects.requireNonNull(body.password());
        var _ = update(
                request,
                AuditAction.CHANGE_CREDENTIALS_PASSWORD,
                id,
                present -> newHash(password, present),
                before -> before);
    }

    /** Removes credentials, if they exist; their clients are disconnected. */
    @DeleteMapping("/api/v1/credentials/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable UUID id, HttpServletRequest request) {
        StoredCredentials stored = store.get(id);
        if (stored == null) {
            return;
        }
        CredentialsResponse before = CredentialsResponse.of(stored);
        tags.requireMatch(request, before, stored.passwordHash());
        audit.change(request, AuditAction.REMOVE_CREDENTIALS, target(id), before, () -> {
            store.remove(id);
            return Audited.nothing();
        });
    }

    private ResponseEntity<CredentialsResponse> ok(StoredCredentials credentials) {
        return tags.ok(CredentialsResponse.of(credentials), credentials.passwordHash());
    }

    /**
     * Changes credentials. If others have changed them meanwhile, reads them again: without {@code If-Match} the request is about any version.
     *
     * @param proof returns the hash of the new password or the new certificate, on this thread, from the present one; null to keep it
     * @param rename returns the credentials with their new names, type and groups, and the same password
     */
    private StoredCredentials update(
            HttpServletRequest request,
            AuditAction action,
            UUID id,
            @Nullable UnaryOperator<String> proof,
            UnaryOperator<StoredCredentials> rename) {
        StoredCredentials read = readMatching(request, id);
        return audit.change(request, action, target(id), CredentialsResponse.of(read), () -> {
            String newHash = proof == null ? null : proof.apply(read.passwordHash());
            StoredCredentials before = read;
            for (int attempt = 1; attempt <= MAXIMUM_ATTEMPTS; attempt++) {
                StoredCredentials renamed = rename.apply(before);
                StoredCredentials after = newHash == null ? renamed : renamed.withPasswordHash(newHash);
                switch (store.update(before, after)) {
                    case DONE -> {
                        return new Audited<>(after, CredentialsResponse.of(after));
                    }
                    case ABSENT -> before = readMatching(request, id);
                    case NAMES_TAKEN -> throw namesTaken();
                }
            }
            throw RequestProblem.conflict("Others change these credentials at the same time; repeat the request.");
        });
    }

    private StoredCredentials readMatching(HttpServletRequest request, UUID id) {
        StoredCredentials found = find(id);
        tags.requireMatch(request, CredentialsResponse.of(found), found.passwordHash());
        return found;
    }

    private StoredCredentials find(UUID id) {
        StoredCredentials found = store.get(id);
        if (found == null) {
            throw RequestProblem.notFound("There are no credentials with this id.");
        }
        return found;
    }

    private static RequestProblem namesTaken() {
        return RequestProblem.conflict("Credentials for the same client id and user name exist.");
    }

    /** Keeps the form of the present hash. */
    private String newHash(String password, String present) {
        if (present.startsWith(CertificatePin.PREFIX)) {
            throw RequestProblem.conflict(
                    "These credentials have a certificate in place of a password; replace them to change that.");
        }
        return hash(password, present);
    }

    private String proof(CredentialsBody body, @Nullable CertificatePin pin) {
        return pin == null ? hash(Objects.requireNonNull(body.password()), form(body)) : pin.stored();
    }

    private String hash(String password, String form) {
        return passwordHash.hash(BinaryData.wrap(password.getBytes(UTF_8)), form);
    }

    private static String form(CredentialsBody body) {
        return body.scram() == null ? "" : "SCRAM-" + body.scram();
    }

    private static @Nullable ClientId clientId(CredentialsBody body) {
        return body.clientId() == null ? null : new ClientId(body.clientId());
    }

    private static String target(UUID id) {
        return "credentials/" + id;
    }

    /** Body of a request that changes the password of credentials. */
    record PasswordBody(@Nullable String password) {
        /** Omits the password. */
        @Override
        public String toString() {
            return "PasswordBody[]";
        }
    }
}
