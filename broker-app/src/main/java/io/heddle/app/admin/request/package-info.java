/**
 * Requests of {@code heddle admin} to the REST API of a node.
 *
 * <p>Entry class: {@link io.heddle.app.admin.request.NodeRequest}, the options that select the node and the administrator. Runs on the main
 * thread of the command. Invariant: a problem of the API becomes one sentence for the user. The output is in
 * {@code io.heddle.app.admin.output}.
 */
@NullMarked
package io.heddle.app.admin.request;

import org.jspecify.annotations.NullMarked;
