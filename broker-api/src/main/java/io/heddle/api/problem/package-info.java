/**
 * Errors of the HTTP interface as problem details (RFC 9457, {@code application/problem+json}).
 *
 * <p>Entry class: {@link io.heddle.api.problem.ErrorResponses}, which writes the errors of filters. {@code ExceptionProblems} handles
 * exceptions of controllers, {@code UnhandledExceptionFilter} those of filters, {@code ProblemValve} requests that Tomcat rejects before
 * any filter. Controllers throw {@code RequestProblem}. Invariant: the text of a problem is a constant or written for administrators: no
 * message of any other exception, no stack trace, nothing of the request but the names of its fields. An unexpected exception is logged
 * once, with an id that the problem carries. Runs on the virtual thread of the request.
 */
@NullMarked
package io.heddle.api.problem;

import org.jspecify.annotations.NullMarked;
