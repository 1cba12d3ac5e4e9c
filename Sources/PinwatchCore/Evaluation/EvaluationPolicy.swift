/// What judgement needs beside the states: what is configured, by the file and by the API.
package struct EvaluationPolicy: Sendable {
    /// A silence with the number under which alerts name it.
    package struct NumberedSilence: Sendable, Hashable {
        package let id: SilenceID
        package var silence: Silence
        package init(id: SilenceID, silence: Silence) {
            self.id = id
            self.silence = silence
        }
    }

    package var thresholds: Configuration.Thresholds
    /// The period of targets without one of their own.
    package var periodSeconds: Int64
    package var routes: [Route]
    /// Every channel's name: those of the file in its order, then those that came by the API.
    package var channels: [String]
    package var pinSets: [PinSet] {
        didSet { index = PinSetIndex(pinSets) }
    }
    private var index: PinSetIndex
    /// Those that have not ended, in the order made.
    package var silences: [NumberedSilence]
    /// For weekly silences.
    package var timeZones: any TimeZones
    /// When scanning began. Staleness counts from here at the earliest, so that a start after a long stop is no storm.
    package var scanningSince: Instant?

    package init(
        thresholds: Configuration.Thresholds, periodSeconds: Int64, routes: [Route], channels: [String],
        pinSets: [PinSet], silences: [NumberedSilence] = [], timeZones: any TimeZones = UniversalTime(),
        scanningSince: Instant? = nil
    ) {
        self.thresholds = thresholds
        self.periodSeconds = periodSeconds
        self.routes = routes
        self.channels = channels
        self.pinSets = pinSets
        index = PinSetIndex(pinSets)
        self.silences = silences
        self.timeZones = timeZones
        self.scanningSince = scanningSince
    }

    /// The pin sets that may have anything to say of a host as apps name it, in their order.
    package func pinSets(about host: String) -> [PinSet] { index.about(host).map { pinSets[$0] } }
}
