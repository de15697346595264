package io.heddle.api.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.api.problem.RequestProblem;
import jakarta.servlet.http.HttpServletRequest;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

/**
 * The versions of objects: the ETag is a hash of the JSON of the object, and of what the JSON omits and a change of which is another version,
 * such as the hash of a password. It is the same on all nodes. Thread-safe.
 */
public final class EntityTags {
    private static final int HASH_BYTES = 16;

    private final JsonMapper json;

    public EntityTags(JsonMapper json) {
        this.json = json;
    }

    /**
     * Returns the strong tag of an object, with its quotation marks.
     *
     * @param omitted what belongs to the version and is not in the representation; a secret must not be one that can be guessed, because who
     *     sees the tag can check a guess: a password hash has a random salt
     */
    public String of(Object representation, String omitted) {
        MessageDigest digest = Sha256.digest();
        digest.update(json.writeValueAsBytes(representation));
        // JSON does not contain this byte.
        digest.update((byte) 0);
        byte[] hash = Arrays.copyOf(digest.digest(omitted.getBytes(UTF_8)), HASH_BYTES);
        return "\"" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + "\"";
    }

    /** Answers with the representation of an object of which it omits nothing, and its tag. */
    public <T> ResponseEntity<T> ok(T representation) {
        return ok(representation, "");
    }

    public <T> ResponseEntity<T> ok(T representation, String omitted) {
        return ResponseEntity.ok().eTag(of(representation, omitted)).body(representation);
    }

    /**
     * Refuses a change whose {@code If-Match} names other versions. Without that header every version matches.
     *
     * @param current the representation of the object now
     * @param omitted what belongs to the version and is not in the representation
     * @throws RequestProblem with status 412
     */
    public void requireMatch(HttpServletRequest request, Object current, String omitted) {
        Enumeration<String> headers = request.getHeaders(HttpHeaders.IF_MATCH);
        requireMatch(headers == null ? List.of() : Collections.list(headers), of(current, omitted));
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
    static void requireMatch(List<String> ifMatch, String tag) {
        // Our tags contain no comma. A weak tag (W/) never matches, as RFC 9110 says for If-Match.
        boolean matches = ifMatch.stream()
                .flatMap(header -> Arrays.stream(header.split(",", -1)))
                .map(String::strip)
                .anyMatch(wanted -> wanted.equals("*") || wanted.equals(tag));
        if (!ifMatch.isEmpty() && !matches) {
            throw RequestProblem.changedMeanwhile();
        }
    }
}
