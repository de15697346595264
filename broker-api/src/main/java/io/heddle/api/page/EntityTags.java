package io.heddle.api.page;

import io.heddle.api.problem.RequestProblem;
import jakarta.servlet.http.HttpServletRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

/** The versions of objects: the ETag is a hash of the JSON of the object, the same on all nodes. Thread-safe. */
public final class EntityTags {
    private static final int HASH_BYTES = 16;

    private final JsonMapper json;

    public EntityTags(JsonMapper json) {
        this.json = json;
    }

    /** Returns the strong tag of a representation, with its quotation marks. */
    public String of(Object representation) {
        byte[] hash = Arrays.copyOf(sha256(json.writeValueAsBytes(representation)), HASH_BYTES);
        return "\"" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + "\"";
    }

    /** Answers with the representation and its tag. */
    public <T> ResponseEntity<T> ok(T representation) {
        return ResponseEntity.ok().eTag(of(representation)).body(representation);
    }

    /**
     * Refuses a change whose {@code If-Match} names other versions. Without that header every version matches.
     *
     * @param current the representation of the object now
     * @throws RequestProblem with status 412
     */
    public void requireMatch(HttpServletRequest request, Object current) {
        Enumeration<String> headers = request.getHeaders(HttpHeaders.IF_MATCH);
        requireMatch(headers == null ? List.of() : Collections.list(headers), current);
    }

    /**
     * Refuses a change with {@code If-Match} of an object that has no version, because it changes all the time or is not one object. To ignore
     * the header would make a change that the request wanted to prevent.
     *
     * @throws RequestProblem with status 400
     */
    public static void refuseCondition(HttpServletRequest request) {
        if (request.getHeader(HttpHeaders.IF_MATCH) != null) {
            throw RequestProblem.invalid(
                    HttpHeaders.IF_MATCH, "Leave this header out: what the request changes has no version.");
        }
    }

    /** @param ifMatch the values of all headers */
    void requireMatch(List<String> ifMatch, Object current) {
        String tag = of(current);
        // Our tags contain no comma. A weak tag (W/) never matches, as RFC 9110 says for If-Match.
        boolean matches = ifMatch.stream()
                .flatMap(header -> Arrays.stream(header.split(",", -1)))
                .map(String::strip)
                .anyMatch(wanted -> wanted.equals("*") || wanted.equals(tag));
        if (!ifMatch.isEmpty() && !matches) {
            throw RequestProblem.changedMeanwhile();
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
