package io.heddle.core.message.frame;

import io.heddle.core.message.binary.BinaryReader;

/** Reads the bytes of a frame. All methods throw {@link MalformedFrameException} when the frame is truncated. */
public final class FrameReader extends BinaryReader {
    private final String name;

    /** @param name of the format, for error messages */
    public FrameReader(String name, byte[] bytes) {
        super(bytes);
        this.name = name;
    }

    /** @param known the version that the caller can read */
    public void version(int known) {
        int found = u8();
        if (found != known) {
            throw malformed("its version is " + found + ", but this node only reads version " + known);
        }
    }

    @Override
    public MalformedFrameException malformed(String detail) {
        return new MalformedFrameException(name + " is malformed: " + detail);
    }
}
