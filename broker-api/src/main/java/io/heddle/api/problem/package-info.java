/**
 * Every error of the HTTP interface is a problem detail (RFC 9457, {@code application/problem+json}).
 *
 * <p>Entry class: {@link io.heddle.api.problem.Problem}. Four doors lead here, from the inside out: exceptions of controllers
 * ({@code ExceptionProblems}), of filters ({@code UnhandledExceptionFilter}), statuses without a body ({@code ContainerErrors}), and what
 * Tomcat refuses before any of our code runs ({@code ProblemValve}). Invariant: a problem says only sentences that stand in
 * our code: no exception's name or text, no stack trace, nothing of the request. What is unexpected is logged once with an id
 * that the problem carries. Runs on the request's virtual thread. Not here: who may do what.
 */
@NullMarked
package io.heddle.api.problem;

import org.jspecify.annotations.NullMarked;
