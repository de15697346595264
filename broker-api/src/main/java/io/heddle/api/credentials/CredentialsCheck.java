package io.heddle.api.credentials;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.api.problem.FieldProblems;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.authentication.GroupNames;
import io.heddle.core.authentication.certificate.CertificatePin;
import io.heddle.core.client.ClientType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Restrictions on names and passwords of credentials, so that every MQTT client can send them and the store can index the names. */
final class CredentialsCheck {
    private static final int MAX_NAME_BYTES = 1_024;
    private static final int MAX_PASSWORD_BYTES = 65_535;

    private CredentialsCheck() {}

    static void checkNames(@Nullable String clientId, @Nullable String userName, FieldProblems problems) {
        problems.require(clientId != null || userName != null, "clientId", "Give a client id, a user name, or both.");
        problems.require(
                clientId == null || (!clientId.isEmpty() && isText(clientId, MAX_NAME_BYTES)),
                "clientId",
                "Use 1 to " + MAX_NAME_BYTES + " bytes without control characters, or null for any client id.");
        problems.require(
                userName == null || isText(userName, MAX_NAME_BYTES),
                "userName",
                "Use at most " + MAX_NAME_BYTES + " bytes without control characters, or null for any user name.");
    }

    static void checkPassword(@Nullable String password, FieldProblems problems) {
        problems.require(
                password != null && !password.isEmpty() && isText(password, MAX_PASSWORD_BYTES),
                "password",
                "Use 1 to " + MAX_PASSWORD_BYTES + " bytes without control characters.");
    }

    /** Returns null without one, and for a wrong one after adding a problem. */
    static @Nullable CertificatePin certificate(CredentialsBody body, FieldProblems problems) {
        String text = body.certificate();
        String fault = text == null ? null : CertificatePin.fault(text, body.userName());
        problems.require(fault == null, "certificate", String.valueOf(fault));
        problems.require(
                text == null || body.password() == null,
                "certificate",
                "Give a password or a certificate: credentials have one of them.");
        return text == null || fault != null ? null : CertificatePin.parse(text);
    }

    /** Refuses a new user name, or null, that a certificate which the credentials keep does not go with. */
    static void checkKept(String hash, @Nullable String userName) {
        CertificatePin pin = CertificatePin.ofStored(hash);
        String fault = pin == null ? null : CertificatePin.fault(pin.text(), userName);
        if (fault != null) {
            throw RequestProblem.invalid("certificate", fault);
        }
    }

    static void checkScram(CredentialsBody body, FieldProblems problems) {
        String scram = body.scram();
        problems.require(
                scram == null || (body.password() != null && (scram.equals("SHA-256") || scram.equals("SHA-512"))),
                "scram",
                "Use SHA-256 or SHA-512, together with a password, or null.");
    }

    /** Returns DEVICE for a wrong text, after adding a problem. */
    static ClientType type(@Nullable String text, FieldProblems problems) {
        for (ClientType type : ClientType.values()) {
            if (type.name().equals(text)) {
                return type;
            }
        }
        problems.require(text == null, "type", "Use DEVICE or APPLICATION.");
        return ClientType.DEVICE;
    }

    static List<String> groups(@Nullable List<@Nullable String> groups, FieldProblems problems) {
        String fault = groups == null ? null : GroupNames.fault(groups);
        problems.require(fault == null, "groups", String.valueOf(fault));
        return groups == null || fault != null
                ? List.of()
                : groups.stream().map(Objects::requireNonNull).toList();
    }

    private static boolean isText(String text, int maximumBytes) {
        return text.codePoints().noneMatch(CredentialsCheck::isForbidden)
                && text.getBytes(UTF_8).length <= maximumBytes;
    }

    /** Control characters, and halves of surrogate pairs, which have no UTF-8. */
    private static boolean isForbidden(int codePoint) {
        return Character.isISOControl(codePoint)
                || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
    }
}
