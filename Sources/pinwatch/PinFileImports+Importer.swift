internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchImport

extension PinFileImports {
    /// Every format that `import` reads. A release is called as its file says, else as the file.
    static let importer = PinFileImports(
        isNative: { Importer.isNative($0) },
        read: { files, trustStores in
            var reading = Reading(pinSets: [], problems: [], remarks: [])
            do throws(ImportProblems) {
                for part in try Importer.read(files, context: ImportContext()) {
                    reading.take(part, trustStores: trustStores)
                }
            } catch {
                reading.problems += error.list
            }
            return reading
        })
}

extension PinFileImports.Reading {
    fileprivate mutating func take(_ part: Imported, trustStores: Set<String>) {
        remarks += part.remarks
        let open = part.questions.filter(\.mustAnswer)
        problems += open.map { question in
            Problem(
                file: part.origin, mark: part.files.first?.mark,
                message: "\(question.words) `pinwatch import` shows what was understood: answer in that text, by "
                    + "\(question.key), and name it here in the file's place")
        }
        guard open.isEmpty else { return }
        for root in part.files {
            do throws(InputProblems) {
                pinSets.append(
                    try PinFileDecoder.definition(
                        from: root, source: NativePinFile.text(of: root), file: part.origin, managedBy: .config,
                        trustStores: trustStores, resources: InputFile.resources.readingNoFiles))
            } catch {
                problems += error.list
            }
        }
    }
}

extension PolicyResources {
    /// The same, for texts that name no file of this machine.
    fileprivate var readingNoFiles: PolicyResources {
        loading { (path: String) throws(HostProblem) -> [UInt8] in
            throw HostProblem("\(path) is not read for an imported file; write the key's hash in a native pin file")
        }
    }
}
