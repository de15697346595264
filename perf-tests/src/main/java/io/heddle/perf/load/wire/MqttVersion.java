package io.heddle.perf.load.wire;

/** The protocol versions that the generator supports. */
public enum MqttVersion {
    V3_1_1(4),
    V5(5);

    private final int level;

    MqttVersion(int level) {
        this.level = level;
    }

    /** The Protocol Level or Protocol Version byte of CONNECT. */
    public int level() {
        return level;
    }
}
