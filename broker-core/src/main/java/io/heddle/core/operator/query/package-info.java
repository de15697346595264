/**
 * Questions that administrators ask of all nodes of a cluster, over the links between them.
 *
 * <p>Entry class: {@link io.heddle.core.operator.query.NodeQuestions}, which asks and answers. The features in higher packages own the
 * bytes of their questions and answers and register a {@link io.heddle.core.operator.query.QuestionHandler} each. Nothing here decides about
 * clients: answers are what one node knew at one moment.
 */
@NullMarked
package io.heddle.core.operator.query;

import org.jspecify.annotations.NullMarked;
