package io.heddle.api.console;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/**
 * A request to the REST interface that feeds a page.
 *
 * @param name the name of the answer in the template
 * @param path the path, in which {@code {name}} stands for a parameter of the page
 * @param parameters how the query is made of the parameters of the page
 */
record Feed(String name, String path, List<Parameter> parameters) {
    /** The parts of an address. */
    record Query(URI address, Map<String, String> parameters) {}

    /**
     * A parameter of the request.
     *
     * @param source the name in the query of the page
     * @param target the name in the request; empty if the request does not have it
     * @param pattern the name if the value has a wildcard; null for the same
     * @param fixed the value, whatever the page has; null to take it from the page
     * @param isRequired whether the request is not sent without it
     */
    private record Parameter(
            String source,
            String target,
            @Nullable String pattern,
            @Nullable String fixed,
            boolean isRequired) {
        /**
         * Parses {@code name}, passed on if it is present; {@code name!}, without which the request is not sent; {@code name=value}, always
         * the same; {@code name!>other}, passed on by another name; {@code name!>}, not passed on; {@code name>other|pattern}, by the second name
         * if the value has a wildcard.
         */
        private static Parameter parse(String text) {
            int equals = text.indexOf('=');
            if (equals >= 0) {
                String name = text.substring(0, equals);
                return new Parameter(name, name, null, text.substring(equals + 1), false);
            }
            int arrow = text.indexOf('>');
            String source = arrow < 0 ? text : text.substring(0, arrow);
            boolean isRequired = source.endsWith("!");
            String name = isRequired ? source.substring(0, source.length() - 1) : source;
            String target = arrow < 0 ? name : text.substring(arrow + 1);
            int bar = target.indexOf('|');
            return bar < 0
                    ? new Parameter(name, target, null, null, isRequired)
                    : new Parameter(name, target.substring(0, bar), target.substring(bar + 1), null, isRequired);
        }

        private String target(String value) {
            boolean isPattern = pattern != null && (value.indexOf('*') >= 0 || value.indexOf('?') >= 0);
            return isPattern && pattern != null ? pattern : target;
        }
    }

    /** @param specification the name, the path and the parameters, separated by spaces */
    static Feed of(String specification) {
        List<String> words = List.of(specification.split(" "));
        return new Feed(
                words.get(0),
                words.get(1),
                words.stream().skip(2).map(Parameter::parse).toList());
    }

    /** Returns the address for a page with this query; null if the page does not have what the request needs. */
    @Nullable
    Query query(Map<String, String> page) {
        String resolved = path;
        Map<String, String> values = new LinkedHashMap<>();
        for (Parameter each : parameters) {
            String value = each.fixed == null ? page.getOrDefault(each.source, "") : each.fixed;
            if (value.isEmpty()) {
                if (each.isRequired) {
                    return null;
                }
            } else if (path.contains("{" + each.source + "}")) {
                resolved = resolved.replace(
                        "{" + each.source + "}", UriUtils.encodePathSegment(value, StandardCharsets.UTF_8));
            } else if (!each.target.isEmpty()) {
                values.put(each.target(value), value);
            }
        }
        UriComponentsBuilder address = UriComponentsBuilder.fromPath(resolved);
        values.forEach((name, value) -> address.queryParam(name, UriUtils.encode(value, StandardCharsets.UTF_8)));
        return new Query(address.build(true).toUri(), values);
    }
}
