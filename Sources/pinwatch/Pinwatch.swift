/// The command line's entry.
@main
struct Pinwatch {
    static func main() async {
        print("pinwatch")
    }
}
