package io.heddle.transport.codec;

/**
 * What the decoder accepts at most.
 *
 * @param maximumPacketBytes the whole packet with its fixed header; larger ones are refused with 0x95 before they are read
 * @param maximumConnectBytes the same for a connection's first packet, when nobody knows yet who is talking
 * @param maximumTopicBytes length of a topic name or topic filter in bytes, 1 to 65,535
 * @param maximumTopicLevels the deepest topic name, counted in levels
 * @param maximumUserProperties user properties of one packet; those of a will are counted apart
 */
public record PacketLimits(
        int maximumPacketBytes,
        int maximumConnectBytes,
        int maximumTopicBytes,
        int maximumTopicLevels,
        int maximumUserProperties) {
    /** Limits that suit devices: packets of 1 MiB, CONNECT of 64 KiB, topics of 4 KiB with 64 levels, 64 user properties. */
    public static final PacketLimits DEFAULTS = new PacketLimits(1 << 20, 1 << 16, 4096, 64, 64);

    /** The largest packet that the fixed header can announce. */
    public static final int LARGEST_PACKET_BYTES = 1 + 4 + VariableByteInteger.MAXIMUM;

    public PacketLimits {
        require("maximumPacketBytes", maximumPacketBytes, 128, LARGEST_PACKET_BYTES);
        require("maximumConnectBytes", maximumConnectBytes, 128, LARGEST_PACKET_BYTES);
        require("maximumTopicBytes", maximumTopicBytes, 1, 65_535);
        require("maximumTopicLevels", maximumTopicLevels, 1, 65_535);
        require("maximumUserProperties", maximumUserProperties, 0, 65_535);
    }

    private static void require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be between " + least + " and " + most + ", not " + value);
        }
    }
}
