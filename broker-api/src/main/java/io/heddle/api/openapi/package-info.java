/**
 * The description of the REST interface: a document in the format of OpenAPI, and a page that shows it.
 *
 * <p>Entry class: {@link io.heddle.api.openapi.OpenApiController}. Runs on the virtual thread of the request; nothing is kept in memory. The
 * document is the resource {@code openapi.yaml}, which is written by hand, because lists read their parameters by rules that no generator
 * sees. Invariant: it describes every mapping of every controller; a test compares them.
 */
@NullMarked
package io.heddle.api.openapi;

import org.jspecify.annotations.NullMarked;
