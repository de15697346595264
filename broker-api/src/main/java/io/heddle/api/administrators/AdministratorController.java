package io.heddle.api.administrators;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.page.EntityTags;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.api.problem.FieldProblems;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.administration.AccountQuery;
import io.heddle.core.administration.AdminChange;
import io.heddle.core.administration.AdminPassword;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.administration.AdminUsers;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.mqtt.BinaryData;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URLEncoder;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lists, creates, changes and removes administrators. Only the role ADMIN may change one; see {@link AccountController}. */
@RestController
public final class AdministratorController {
    private static final ListRules RULES = ListRules.of(List.of("userName", "-userName"), "role");

    private final AdminUsers users;
    private final PasswordHash passwordHash;
    private final Audit audit;
    private final EntityTags tags;

    public AdministratorController(AdminUsers users, PasswordHash passwordHash, Audit audit, EntityTags tags) {
        this.users = users;
        this.passwordHash = passwordHash;
        this.audit = audit;
        this.tags = tags;
    }

    @GetMapping("/api/v1/administrators")
    Page<AdministratorResponse> list(HttpServletRequest request) {
        ListRequest list = RULES.parse(request.getParameterMap());
        AccountQuery query = new AccountQuery(
                list.choice("role", AdminRole.class), list.sort().isDescending(), list.after(), list.limit() + 1);
        return Page.of(users.list(query), list.limit(), AdministratorResponse::of, user -> list.next(user.userName()));
    }

    @GetMapping("/api/v1/administrator")
    ResponseEntity<AdministratorResponse> get(@RequestParam String userName) {
        AdminUser user = find(userName);
        return tags.ok(AdministratorResponse.of(user), user.passwordHash());
    }

    /** Creates an administrator; 409 if the name is taken. */
    @PostMapping("/api/v1/administrators")
    ResponseEntity<AdministratorResponse> create(@RequestBody NewAdministrator body, HttpServletRequest request) {
        FieldProblems problems = new FieldProblems();
        String userName = Objects.requireNonNullElse(body.userName(), "");
        problems.require(
                !userName.isBlank()
                        && userName.length() <= AdminUser.MAX_USER_NAME_LENGTH
                        && userName.indexOf(':') < 0
                        && userName.equals(userName.strip())
                        && userName.codePoints().allMatch(AdministratorController::isPrintable),
                "userName",
                "Use 1 to " + AdminUser.MAX_USER_NAME_LENGTH
                        + " printable characters, without colons and without spaces at the beginning and end.");
        checkPassword(userName, body.password(), problems);
        AdminRole role = role(body.role(), problems);
        problems.throwIfAny();
        String password = Objects.requireNonNull(body.password());
        AdminUser created = audit.change(request, AuditAction.CREATE_ADMINISTRATOR, target(userName), null, () -> {
            AdminUser user = new AdminUser(UUID.randomUUID(), userName, hash(password), Objects.requireNonNull(role));
            if (!users.create(user)) {
                throw RequestProblem.conflict("An administrator with this user name exists.");
            }
            return new Audited<>(user, AdministratorResponse.of(user));
        });
        URI location = URI.create("/api/v1/administrator?userName=" + URLEncoder.encode(userName, UTF_8));
        AdministratorResponse shown = AdministratorResponse.of(created);
        return ResponseEntity.created(location)
                .eTag(tags.of(shown, created.passwordHash()))
                .body(shown);
    }

    /** Changes the role, the password, or both; 409 if nobody would have the role ADMIN. */
    @PatchMapping("/api/v1/administrator")
    ResponseEntity<AdministratorResponse> change(
            @RequestParam String userName, @RequestBody AdministratorChange body, HttpServletRequest request) {
        FieldProblems problems = new FieldProblems();
        if (body.password() != null) {
            checkPassword(userName, body.password(), problems);
        }
        @Nullable AdminRole role = body.role() == null ? null : role(body.role(), problems);
        problems.throwIfAny();
        AdminUser user = find(userName);
        AdministratorResponse before = AdministratorResponse.of(user);
        tags.requireMatch(request, before, user.passwordHash());
        AuditAction action =
                body.password() == null ? AuditAction.CHANGE_ADMINISTRATOR : AuditAction.CHANGE_ADMINISTRATOR_PASSWORD;
        AdminUser changed = audit.change(request, action, target(userName), before, () -> {
            if (role != null) {
                requireDone(users.changeRole(userName, role));
            }
            if (body.password() != null && !users.changePassword(userName, hash(body.password()))) {
                throw absent();
            }
            AdminUser after = find(userName);
            return new Audited<>(after, AdministratorResponse.of(after));
        });
        return tags.ok(AdministratorResponse.of(changed), changed.passwordHash());
    }

    /** Removes an administrator, if it exists; 409 if nobody else has the role ADMIN. */
    @DeleteMapping("/api/v1/administrator")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@RequestParam String userName, HttpServletRequest request) {
        AdminUser user = findOrNull(userName);
        if (user == null) {
            return;
        }
        AdministratorResponse before = AdministratorResponse.of(user);
        tags.requireMatch(request, before, user.passwordHash());
        audit.change(request, AuditAction.REMOVE_ADMINISTRATOR, target(userName), before, () -> {
            AdminChange change = users.remove(userName);
            if (change != AdminChange.ABSENT) {
                requireDone(change);
            }
            return Audited.nothing();
        });
    }

    private AdminUser find(String userName) {
        AdminUser user = findOrNull(userName);
        if (user == null) {
            throw absent();
        }
        return user;
    }

    /** PostgreSQL does not accept the character NUL, which no name contains. */
    private @Nullable AdminUser findOrNull(String userName) {
        return userName.indexOf('\0') >= 0 ? null : users.find(userName);
    }

    private static void requireDone(AdminChange change) {
        switch (change) {
            case DONE -> {
                // As requested.
            }
            case ABSENT -> throw absent();
            case LAST_ADMIN ->
                throw RequestProblem.conflict(
                        "This is the last administrator with the role ADMIN; give another one that role first.");
        }
    }

    private static RequestProblem absent() {
        return RequestProblem.notFound("There is no administrator with this user name.");
    }

    static void checkPassword(String userName, @Nullable String password, FieldProblems problems) {
        String fault = AdminPassword.fault(userName, Objects.requireNonNullElse(password, ""));
        if (fault != null) {
            problems.add("password", fault);
        }
    }

    /** Other characters make two names look the same, or a line of a log wrong. */
    private static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> codePoint == ' ';
            default -> true;
        };
    }

    /** Returns the role with this name, or null after adding a problem. */
    static @Nullable AdminRole role(@Nullable String text, FieldProblems problems) {
        for (AdminRole role : AdminRole.values()) {
            if (role.name().equals(text)) {
                return role;
            }
        }
        problems.add("role", "Use ADMIN, OPERATOR or VIEWER.");
        return null;
    }

    private String hash(String password) {
        return passwordHash.hash(BinaryData.wrap(password.getBytes(UTF_8)));
    }

    static String target(String userName) {
        return "administrators/" + userName;
    }

    /**
     * Body of a request that creates an administrator. Without a custom text, because it has a password.
     *
     * @param role ADMIN, OPERATOR or VIEWER
     */
    record NewAdministrator(
            @Nullable String userName,
            @Nullable String password,
            @Nullable String role) {
        /** Omits the password. */
        @Override
        public String toString() {
            return "NewAdministrator[userName=" + userName + ", role=" + role + "]";
        }
    }

    /**
     * Body of a request that changes an administrator; null stays as it is.
     *
     * @param role ADMIN, OPERATOR or VIEWER
     */
    record AdministratorChange(
            @Nullable String password, @Nullable String role) {
        /** Omits the password. */
        @Override
        public String toString() {
            return "AdministratorChange[role=" + role + "]";
        }
    }
}
