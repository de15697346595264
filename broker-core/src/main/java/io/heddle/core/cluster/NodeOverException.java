package io.heddle.core.cluster;

/** This node is over: the cluster has declared it dead, or it cannot know whether it has. It must write nothing more. */
public final class NodeOverException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param sentence for the operator */
    public NodeOverException(String sentence) {
        super(sentence);
    }
}
